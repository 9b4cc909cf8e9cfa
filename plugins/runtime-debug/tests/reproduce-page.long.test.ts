/** Pages that show the bug: loaded by a browser of the command, or by that of the user. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { CHROMIUM_MISSING, listening } from "../../../contract-tests/browser.ts";
import { observedBrowser } from "./observe-programs.ts";
import { desk } from "./short-path.ts";

const PAGE = `<!doctype html><meta charset="utf-8"><p id="sum">-</p><button>Add</button>
<script>
let sum = 0;
document.querySelector("button").onclick = () => {
  sum += "10";
  document.querySelector("#sum").textContent = sum;
  if (sum !== 10) console.error("The sum is", sum);
  if (sum === "broken") throw new Error("never");
  setTimeout(() => { if (sum !== 10) throw new Error("The sum is no number."); });
};
</script>
`;
const HYPOTHESES = ["The price is a text", "The click comes twice", "The sum begins wrong"].map(
  (text) => `${text} | refuted by: sum is a number | at cart.html:7 | log: sum, type=typeof sum`,
);

test(
  "a page is loaded and acts once per run; thrown and reported errors are failures",
  { skip: CHROMIUM_MISSING },
  async (t) => {
    const { say, write, root } = await desk(t, { "cart.html": PAGE });
    const { port, close } = await listening((_, response) => {
      const type = { "content-type": "text/html" };
      void readFile(join(root, "cart.html")).then((text) => response.writeHead(200, type).end(text));
    });
    t.after(close);
    const url = `http://127.0.0.1:${port}/`;
    const start = (...more: readonly string[]) =>
      say("start", "The sum is a text", "--hypotheses", HYPOTHESES.join("\n"), ...more);
    const begun = await start(
      "--page",
      url,
      "--act",
      'document.querySelector("button").click()',
      "--times",
      "2",
    );
    assert.match(
      begun.out,
      /failed 2 of 2 times; the first failing run threw 1 uncaught exception and reported 1 console error\.\n[^]*^010$[^]*^console\.error: The sum is 010 at .*\)\nUncaught Error: The sum is no number\.\n +at .*:\d+:/m,
      begun.err,
    );
    assert.match(begun.out, /#1 .*\{"sum":"010","type":"string"\}[^]*^Step 7 of 11\./m);
    const judged = ["A confirmed #1: x", "B rejected #2: x", "C rejected #3: x"];
    const verdicts = await say("judge", "--verdicts", judged.join("\n"));
    assert.equal(verdicts.status, 0, verdicts.err);
    await write("cart.html", (await readFile(join(root, "cart.html"), "utf8")).replace('"10"', "10"));
    const fixed = await say("fix", "The price is a number.");
    assert.match(
      fixed.out,
      /failed 2 of 2 times before the fix, and failed 0 of 2 times with it\.[^]*^Step 10 of 11\./m,
      fixed.err,
    );
    await say("answer", "D", "--cleanup");

    const own = await observedBrowser();
    t.after(own.end);
    const [, inspect = ""] = own.target;
    await write("cart.html", PAGE.replace("<script>", "<script>alert(1);"));
    const again = await start(
      "--page",
      url,
      "--inspect",
      inspect,
      "--act",
      "document.querySelector('button').click()",
      "--fails-when",
      "010",
    );
    assert.match(again.out, /failed 1 of 1 time; [^]*^Step 7 of 11\./m, again.err);
    const tabs = (await (await fetch(`http://${inspect}/json/list`)).json()) as readonly {
      readonly url: string;
    }[];
    assert.deepEqual(
      tabs.filter((tab) => tab.url === url),
      [],
    );
    await say("answer", "D", "--cleanup");
    await write("cart.html", PAGE.replace("let sum = 0;", "for (;;);"));
    const hung = await start("--page", url, "--timeout", "2");
    assert.match(hung.out, /was closed after 2 s \(--timeout\)[^]*^Step 6 of 11\./m, hung.err);
    for (const [words, told] of [
      [["reproduce", "true", "--page", url], /A command and --page exclude each other/],
      [["reproduce", "true", "--act", "1"], /require --page/],
      [["reproduce", "--page", "http://127.0.0.1:1/"], /cannot be loaded: net::ERR/],
      [["reproduce", "--page", url, "--inspect", "127.0.0.1:1"], /No browser answers at 127\.0\.0\.1:1\./],
    ] as const) {
      const { status, err } = await say(...words);
      assert.notEqual(status, 0, words.join(" "));
      assert.match(err, told);
    }
  },
);
