import assert from "node:assert/strict";
import { test } from "node:test";
import { rulesText, toldRule, withRules, withoutRules } from "./rules-block.ts";

const HEAD = "---\nname: a\n---\n\n# A\n\nDo it.\n";
const BLOCK = `<!-- rules:begin -->
## Rules

- Do.
- Do that, too.

Not enforced by the guard, for the reason given after each:

- Be kind. (Kindness has no measure.)

Not enforced yet; violations are recorded:

- Later.
<!-- rules:end -->`;
const RULES = [
  { tell: "Later.", mode: "audit" },
  { tell: "Do.", mode: "enforce" },
  { tell: "Be kind.", enforced: false, why: "Kindness has no measure." },
  { tell: "Do\n  that, too." },
].map(toldRule);

test("the block is added at the end, and stays the same when it is written again", () => {
  const text = withRules(HEAD, RULES);
  assert.equal(text, `${HEAD}\n${BLOCK}\n`);
  assert.equal(withRules(text, RULES), text);
});

test("a block keeps its place and the text around it", () => {
  const text = `${HEAD}\n<!-- rules:begin -->\nold\n<!-- rules:end -->\n\nMore.\n`;
  assert.equal(withRules(text, RULES), `${HEAD}\n${BLOCK}\n\nMore.\n`);
});

test("without rules the block is removed, and a text without a block is unchanged", () => {
  assert.equal(withRules(withRules(HEAD, RULES), []), HEAD);
  assert.equal(withRules(HEAD, []), HEAD);
  assert.equal(withoutRules(`${HEAD}\n${BLOCK}\n\nMore.\n`), `${HEAD}\nMore.\n`);
  const open = `${HEAD}\n<!-- rules:begin -->\nNo end.\n`;
  assert.equal(withoutRules(open), open);
});

test("kinds without rules are not listed", () => {
  assert.equal(rulesText([toldRule({ tell: "Do." })]), "- Do.\n");
  assert.equal(rulesText([]), "");
});
