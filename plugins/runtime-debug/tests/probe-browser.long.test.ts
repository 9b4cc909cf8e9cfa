/** Probes in JavaScript in a page, in a page's own text, and in TypeScript under a strict compiler. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Language } from "../probes/languages.ts";
import { probeRegion } from "../probes/probe-text.ts";
import { CHROMIUM_MISSING, chromium, listening } from "../../../contract-tests/browser.ts";
import { debugHost, serving } from "./serving.ts";
import { ROOT } from "../../../contract-tests/harness.ts";
import { stored } from "./probes/probing.ts";
import { sampleWish } from "./probes/sample.ts";

const SESSION = "login-timeout";

function probe(
  language: Language,
  fallbackUrl: string,
  expressions: readonly string[],
  sync = false,
): string {
  const data = expressions.map((expression, index) => ({ name: `v${index}`, expression }));
  return probeRegion(sampleWish(language, { session: SESSION, fallbackUrl, data, sync })).join("\n");
}

describe("a probe in a page", () => {
  it(
    "reports to a server of this machine, also before the page is left, and is silent without a server",
    { skip: CHROMIUM_MISSING },
    async (t) => {
      const host = await debugHost(t);
      const { info, stop } = await serving(host, { session: SESSION });
      const html = (address: string): string => `<!doctype html><meta charset="utf-8"><body><p>here</p>
${probe("html", address, ["document.title"])}
<script type="module">
const loop = { text: "ü" }; loop.loop = loop;
for (let i = 0; i < 20; i++) {
${probe("javascript", address, ["i", "loop", "none.more"])}
}
window.done = Object.keys(globalThis).filter((name) => /debug/.test(name)).length;
</script>
<script>
function leave() {
${probe("javascript", address, ["'leaving'"], true)}
location.href = "about:blank";
}
</script>`;
      let page = html(info.api_url);
      const site = await listening((_, response) => {
        response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
      });
      t.after(() => site.close());
      const { browser, close } = await chromium();
      t.after(close);
      const tab = await browser.newPage();
      const said: string[] = [];
      tab.on("pageerror", (error) => said.push(String(error)));
      await tab.goto(`http://localhost:${site.port}/`);
      assert.equal(await tab.evaluate("window.done"), 0);
      await stored(info.log_file, 21);
      await tab.evaluate("leave()");
      await tab.waitForURL("about:blank");
      const events = await stored(info.log_file, 22);
      assert.deepEqual(
        events.slice(1, 21).map(({ data }) => data["v0"]),
        Array.from({ length: 20 }, (_, index) => index),
      );
      assert.match(JSON.stringify(events[1]?.data["v1"]), /^\{"text":"ü","loop":"[^"]*ircular[^"]*"\}$/);
      assert.match(String(events[1]?.data["v2"]), /^! ReferenceError/);
      assert.equal(events[21]?.data["v0"], "leaving");
      await stop();
      page = html(info.api_url);
      await tab.goto(`http://localhost:${site.port}/`);
      assert.equal(await tab.evaluate("window.done"), 0);
      assert.deepEqual(said, []);
    },
  );
});

describe("a probe in TypeScript", () => {
  it("causes no error of a strict compiler, and keeps the narrowed types of values", async (t) => {
    const folder = await mkdtemp(join(tmpdir(), "skillctl-probe-types-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const source = `export function f(this: { n: number }, given: string | undefined): number {
  let text = given;
  if (text === undefined) return 0;
${probe("typescript", "http://127.0.0.1:9/event", ["text.length", "this.n"])}
  text = "b";
  return text.length;
}
`;
    await writeFile(join(folder, "a.ts"), source);
    await writeFile(join(folder, "b.tsx"), source.replace("function f", "function g"));
    const strict = {
      strict: true,
      noEmit: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      noImplicitReturns: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noPropertyAccessFromIndexSignature: true,
    };
    const compilerOptions = {
      ...strict,
      target: "es2020",
      lib: ["es2020"],
      module: "esnext",
      types: [],
      jsx: "preserve",
    };
    await writeFile(
      join(folder, "tsconfig.json"),
      JSON.stringify({ compilerOptions, files: ["a.ts", "b.tsx"] }),
    );
    const compiler = join(ROOT, "node_modules", "typescript", "bin", "tsc");
    const said = await new Promise((resolve) =>
      execFile(process.execPath, [compiler, "-p", folder], { cwd: folder }, (failure, out, err) =>
        resolve(failure ? `${out}${err}` || failure.message : ""),
      ),
    );
    assert.equal(said, "");
  });
});
