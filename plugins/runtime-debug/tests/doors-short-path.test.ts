/** A plain bug in four commands: each takes all steps that its input allows. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { needs } from "./faults/needs.ts";
import { CART, desk, HYPOTHESES } from "./short-path.ts";

const JUDGED = [
  "--verdicts",
  "A confirmed #1, #4: it grows by the sum\nB rejected #2, #5: once each\nC rejected #3, #6: numbers",
];

test(
  "a session takes four commands and 2,500 characters, and its record holds each step",
  { skip: needs("linux") },
  async (t) => {
    const { say, root, write } = await desk(t, { "cart.js": CART });
    const record = (): Promise<string> => readFile(join(root, "debug-cart-total-wrong.md"), "utf8");
    const said: string[] = [];
    const typed = async (...words: readonly string[]): Promise<string> => {
      const { status, out, err } = await say(...words);
      assert.equal(status, 0, err);
      said.push(out);
      return out;
    };
    const list = ["--hypotheses", HYPOTHESES.join("\n")];
    const begun = await typed("start", "The cart total is wrong", "--run", "node cart.js", ...list);
    assert.match(begun, /`node cart\.js` ended with status 0; it wrote last: 23\./);
    assert.match(begun, /^#4 \S+ A cart\.js:7 \{"price":10,"pair":\[10,2\],"total":11\}$/m);
    assert.match(begun, /^Step 7 of 11\./m);
    assert.match(await record(), /Reproduced as described: node cart\.js was run/);
    await typed("judge", ...JUDGED);
    const probed = await readFile(join(root, "cart.js"), "utf8");
    await write("cart.js", probed.replace("item.price + item.quantity", "item.price * item.quantity"));
    const fixed = await typed("fix", "The quantity multiplies the price.");
    assert.match(fixed, /it wrote last: 30\./);
    assert.match(fixed, /total: 0, 11 → 0, 10/);
    assert.match(fixed, /Is the bug gone\?[^]*Step 10 of 11\./);
    const ended = await typed("answer", "A", "--cleanup");
    assert.match(
      ended,
      /^The session cart-total-wrong is closed[^]*^Root cause: Price and quantity are added$/m,
    );
    assert.equal(await readFile(join(root, "cart.js"), "utf8"), CART.replace("e + i", "e * i"));
    const length = said.join("").length;
    assert.ok(length <= 2_500, `${length} characters`);
  },
);
