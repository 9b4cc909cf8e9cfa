/** Hook events of each agent, as logs, tests and documentation have them, and the facts that the guard reads in them. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, test } from "node:test";
import { ROOT } from "../../../../contract-tests/harness.ts";
import type { Subject } from "../../../plugin.ts";
import type { HookEvent } from "../dialect.ts";
import { AGENTS } from "../fixture-agents.ts";
import { clientOf } from "../hook.ts";
import { withPaths } from "../paths.ts";

/** An event, the facts that it states, and the kind of its source. The project is `/home/dev/project`. */
type Row = readonly [agent: keyof typeof AGENTS, event: HookEvent, facts: Partial<Subject>, from: string];

const ROWS = (await readFile(`${ROOT}/core/surfaces/hook/tests/recorded-events.jsonl`, "utf8"))
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Row);

const FACTS = ["event", "tool", "command", "cwd", "prompt", "answer", "output"] as const;
const noLink = () => Promise.reject(new Error("There are no links."));
const base = ({ cwd = "/" }: HookEvent) => ({
  cwd: "/",
  home: "/home/dev",
  windows: /^[A-Z]:/.test(String(cwd)),
  files: { realPath: noLink, linkTarget: noLink },
});

describe("recorded events", () => {
  test("kind, tool, command, folder and files of each event are read", async () => {
    for (const agent of Object.keys(AGENTS)) {
      const dialect = clientOf(agent);
      for (const [name, event, facts] of ROWS) {
        if (name !== agent) continue;
        const about = JSON.stringify(event);
        const subject = dialect.request(event) ?? assert.fail(`not read: ${about}`);
        const { paths = [], urls = [], ...read } = await withPaths(subject, base(event));
        for (const fact of FACTS) assert.deepEqual(read[fact], facts[fact], `${fact} of ${about}`);
        if (facts.repeated !== undefined) assert.equal(read.repeated, facts.repeated, about);
        if (facts.content !== undefined) assert.equal(read.content, facts.content, about);
        if (facts.urls) assert.deepEqual(urls, facts.urls, about);
        const missing = (facts.paths ?? []).filter((path) => !paths.includes(path));
        assert.deepEqual(missing, [], `paths of ${about}`);
        // A search, a shell or an MCP tool may name more strings that count as paths; no other tool may.
        if (!["search", "mcp", "shell"].includes(read.tool ?? "search"))
          assert.equal(paths.length, facts.paths?.length ?? 0, `${paths.join(" ")} in ${about}`);
      }
    }
  });

  test("every event that a dialect supports is recorded", () => {
    for (const agent of Object.keys(AGENTS)) {
      const { events } = clientOf(agent);
      const recorded = new Set(ROWS.map(([name, event]) => name === agent && event["hook_event_name"]));
      // No example of an event before a command in the text of a skill is public.
      const missing = Object.keys(events).filter(
        (name) => !recorded.has(name) && name !== "PreSkillShellCommand",
      );
      assert.deepEqual(missing, [], agent);
    }
  });
});
