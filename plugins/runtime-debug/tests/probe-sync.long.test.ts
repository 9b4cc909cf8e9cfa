/** Programs that hang or are killed: with `--sync` no event from before is lost. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Language } from "../probes/languages.ts";
import { probeRegion } from "../probes/probe-text.ts";
import { needs } from "./faults/needs.ts";
import { stored } from "./probes/probing.ts";
import { sampleWish } from "./probes/sample.ts";
import { debugHost, serving } from "./serving.ts";

const SESSION = "login-timeout";
/** The end of a program after its events. */
const ENDS: readonly (readonly [Language, string, string])[] = [
  ["javascript", "loops for ever", "for (;;);"],
  ["javascript", "aborts", "process.abort();"],
  ["javascript", "kills itself", "process.kill(process.pid, 'SIGKILL'); for (;;);"],
  ["javascript", "exits", "process.exit(3);"],
  ["python", "loops for ever", "while True: pass"],
  ["python", "exits without cleanup", "import os; os._exit(3)"],
  ["python", "kills itself", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"],
];

describe("a probe that waits reports", { concurrency: 2 }, () => {
  for (const [language, what, end] of ENDS) {
    const isNode = language === "javascript";
    it(`before a program of ${language} ${what}`, { skip: needs(isNode ? "node" : "python3") }, async (t) => {
      const host = await debugHost(t);
      const folder = host.environment.workingFolder;
      const { info } = await serving(host, { session: SESSION });
      const data = [{ name: "i", expression: "i" }];
      const wish = sampleWish(language, { session: SESSION, data, fallbackUrl: info.api_url, sync: true });
      const probe = probeRegion(wish).join("\n");
      const file = join(folder, isNode ? "hang.mjs" : "hang.py");
      await writeFile(
        file,
        isNode
          ? `for (let i = 0; i < 3; i++) {\n${probe}\n}\n${end}\n`
          : `for i in range(3):\n${probe.replaceAll(/^/gm, "    ")}\n${end}\n`,
      );
      const child = spawn(isNode ? process.execPath : "python3", [file], { cwd: folder, stdio: "ignore" });
      const closed = once(child, "close");
      try {
        const events = await stored(info.log_file, 3);
        assert.deepEqual(
          events.map(({ data }) => data["i"]),
          [0, 1, 2],
        );
      } finally {
        child.kill("SIGKILL");
        await closed;
      }
    });
  }
});
