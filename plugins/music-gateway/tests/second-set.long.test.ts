/** Questions and conversations over the exports of another made-up artist, written by someone who had not seen this code. */
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { createTestHost } from "skillctl/testing";
import { SkillError } from "skillctl";
import { SKILLS } from "../../../contract-tests/harness.ts";
import set from "./fixtures/second-set/questions.json" with { type: "json" };

interface Turn {
  readonly question: string;
  readonly kind: string;
  readonly has?: readonly string[];
  readonly hasNot?: readonly string[];
}
type Row = { readonly id: string } & (Turn | { readonly turns: readonly Turn[] });

const FIGURES = /^\|(?! (?:排名|Rank|---)).*\|[^|\n]*\d[^|\n]*\|/mu;
const NO_ROWS = /^0 of them|^符合的有 0 项/mu;

/** Whether an entry occurs in an answer: one between slashes is an expression; a figure must not be part of a longer one. */
function stands(wanted: string, text: string): boolean {
  if (/^\/.+\/$/u.test(wanted)) return new RegExp(wanted.slice(1, -1), "u").test(text);
  const literal = wanted.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  const before = /^\d/u.test(wanted) ? String.raw`(?<![\d.])` : "";
  const after = /\d$/u.test(wanted) ? String.raw`(?!\d|\.\d)` : "";
  return new RegExp(before + literal + after, "u").test(text);
}

function isRight({ kind, has = [], hasNot = [] }: Turn, answer: string): boolean {
  const text = answer.replaceAll(/\n💡[^\n]*/gu, "").replaceAll(/(?<=\d),(?=\d{3})/gu, "");
  const hasFigures = FIGURES.test(text) || NO_ROWS.test(text);
  return (
    has.every((one) => stands(one, text)) &&
    !hasNot.some((one) => stands(one, text)) &&
    !(kind === "honest" && hasFigures)
  );
}

test("an independent set of questions has the answers that a separate program has counted", async (t) => {
  const host = await createTestHost({ skills: SKILLS, now: `${set.today}T05:00:00Z` });
  t.after(host.close);
  const exports = fileURLToPath(new URL("fixtures/second-set/exports", import.meta.url));
  await cp(exports, join(host.environment.workingFolder, "exports"), { recursive: true });
  await host.run({ skill: "music-gateway", command: "import", input: { files: ["exports"] } });
  const ask = async (conversation: string, question: string): Promise<string> => {
    try {
      const input = { question, conversation };
      const { text } = (await host.run({ skill: "music-analysis", command: "ask", input })) as {
        text: string;
      };
      return text;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return caught.message;
    }
  };
  const open = new Set<string>(set.open);
  const unexpected: string[] = [];
  for (const row of set.rows as readonly Row[]) {
    const turns = "turns" in row ? row.turns : [row];
    for (const [place, turn] of turns.entries()) {
      const id = turns.length > 1 ? `${row.id}.${place + 1}` : row.id;
      const answer = await ask(row.id, turn.question);
      if (isRight(turn, answer) !== open.delete(id)) continue;
      const state = isRight(turn, answer) ? "is right, but listed as open" : "is not right";
      unexpected.push(`${id} ${turn.question} ${state}:\n${answer.slice(0, 600)}`);
    }
  }
  assert.equal(unexpected.length, 0, unexpected.join("\n\n"));
  assert.deepEqual([...open], []);
});
