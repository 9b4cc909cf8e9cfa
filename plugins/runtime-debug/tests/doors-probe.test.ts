/** The probes that `probe` prints, and what becomes of one that runs. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { ask } from "./client.ts";
import { debugProject } from "./session-harness.ts";
import { ID, walked } from "./doors-walk.ts";

const LANGUAGES =
  "javascript typescript python php ruby perl lua shell go java rust c cpp kotlin swift dart csharp powershell".split(
    " ",
  );

describe("a probe", () => {
  test("in each language names its session, hypothesis, point and server between two markers", async (t) => {
    const { run, url } = await walked(await debugProject(t, { git: false }), "instrumenting");
    for (const lang of LANGUAGES) {
      const { region } = await run("probe", {
        hypothesis: "B",
        point: "loop-sum",
        lang,
        data: ["sum"],
      }).catch(() => run("probe", { hypothesis: "B", point: "loop-sum", lang, data: ["$sum"] }));
      const [first = "", line = "", last = "", ...more] = region as readonly string[];
      assert.deepEqual(more, [], lang);
      assert.match(first, /#region debug-point B:loop-sum/, lang);
      assert.match(last, /#endregion debug-point B:loop-sum/, lang);
      for (const part of [ID, "loop-sum", `${url}/event`, "sum"])
        assert.ok(line.includes(part), `${lang}: ${part}`);
      assert.match(line, /(?<!\w)B(?!\w)/, lang);
    }
  });

  test("that runs reports its values to the server of the environment, and the program goes on", async (t) => {
    const { run, url, root } = await walked(await debugProject(t, { git: false }), "instrumenting");
    const data = ["sum", "broken=nothing.at.all"];
    const { region } = await run("probe", { hypothesis: "A", point: "loop", lang: "javascript", data });
    // The address in the line itself leads nowhere: the one in the file counts.
    const lines = (region as readonly string[])
      .join("\n")
      .replaceAll(`${url}/event`, "http://127.0.0.1:9/event");
    const path = join(root, "program.mjs");
    await writeFile(path, `const sum = 41;\n${lines}\nconsole.log(sum + 1);\n`);
    const child = spawn(process.execPath, [path], { cwd: root, env: { PATH: process.env["PATH"] } });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
    await new Promise((resolve) => child.on("close", resolve));
    assert.equal(out, "42\n");
    const [event] = JSON.parse((await ask(url, { path: "/logs" })).text) as Record<string, unknown>[];
    assert.equal(event?.["hypothesisId"], "A");
    assert.equal(event["sessionId"], ID);
    const { sum, broken } = event["data"] as Record<string, unknown>;
    assert.equal(sum, 41);
    assert.match(String(broken), /^! ReferenceError/);
  });

  test("changes nothing: an expression that would is refused, and the file stays as it was", async (t) => {
    const { fails, read } = await walked(await debugProject(t, { git: false }), "instrumenting");
    const before = await read("total.js");
    for (const expression of ["x=sum = 1", "sum++", "sum); sum = 2; (0", "x=sum //"]) {
      const { code } = await fails("probe", {
        hypothesis: "A",
        point: "loop",
        data: [expression],
        apply: "total.js:4",
      });
      assert.equal(code, "DEBUG_PROBE_INVALID", expression);
    }
    assert.equal(await read("total.js"), before);
  });
});
