/**
 * A host in which a troublesome skill lives beside the debug server, as a program: it prints the block of the debug
 * server, and in front of it a line with the address of the host's own server, where the skill makes its trouble.
 *
 *   trouble-harness.ts SESSION --port 0 --outdir FOLDER
 */
import { join } from "node:path";
import { stdout } from "node:process";
import { setImmediate as turn } from "node:timers/promises";
import type { RouteReply } from "skillctl";
import { createHost, serveHttp, type HostedSkill } from "skillctl/host";
import { ROOT, SKILLS } from "../../../../contract-tests/harness.ts";

/** Blocks the whole process for so many milliseconds. */
const BLOCKED_MS = 5_000;

const TROUBLES: Readonly<Record<string, () => Promise<RouteReply>>> = {
  /** Fails before it waits for anything. */
  throws: () => {
    throw new Error("trouble at once");
  },
  /** Fails later. */
  rejects: async () => {
    await turn();
    throw new TypeError("trouble later");
  },
  /** Lets nobody else do anything. */
  blocks: async () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BLOCKED_MS);
    return { status: 200, body: "ok" };
  },
};

const trouble: HostedSkill = {
  manifest: {
    manifestVersion: 1,
    name: "trouble",
    version: "0.1.0",
    summary: "Makes trouble when it is asked to.",
    engines: { skillctl: "^0.1.0" },
    routes: Object.fromEntries(
      Object.keys(TROUBLES).map((name) => [
        name,
        {
          summary: `Trouble that ${name}.`,
          method: "GET",
          path: `/${name}`,
          query: "runtime-debug/key-query",
          replies: { "200": "runtime-debug/cleared" },
        },
      ]),
    ),
  },
  folder: join(ROOT, "skills", "trouble"),
  schemas: join(ROOT, "schemas", "trouble"),
  builtin: false,
  load: async () => ({
    default: {
      commands: {},
      routes: Object.fromEntries(
        Object.entries(TROUBLES).map(([name, handle]) => [
          name,
          class {
            readonly handle = handle;
          },
        ]),
      ),
      rules: {},
    },
  }),
};

const [session = "", , , , outdir = ""] = process.argv.slice(2);
const host = await createHost({ skills: [...SKILLS, trouble] });
const { url } = await serveHttp(host);
stdout.write(`TROUBLE ${url}/trouble\n`);
await host.run({
  skill: "runtime-debug",
  command: "serve",
  surface: "cli",
  input: { session, outdir, port: 0 },
  announce: (text: string) => void stdout.write(`${text}\n`),
});
