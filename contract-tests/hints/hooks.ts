/** Hints about the hooks of agents that name a command. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { VERBS, bare, makeFolder, said } from "./core.ts";
import type { HintRow, Say } from "./table.ts";

/** The hooks of an agent, installed, and the command line after a change of the state. */
const hooked =
  (
    client: string,
    words: readonly string[],
    change: (path: string) => Promise<unknown> = async () => undefined,
    more: readonly string[] = [],
  ): HintRow["shown"] =>
  async (t) => {
    const { path, say } = await bare(t);
    await say(["hooks", "install", "--client", client, ...more]);
    await change(path);
    const { out, err } = await say(words);
    return [out + err, say];
  };

const TRANSCRIPT = [
  {
    type: "user",
    sessionId: "s",
    cwd: "/",
    message: { role: "user", content: "x" },
    uuid: "u",
    timestamp: "2026-11-01T00:00:00Z",
  },
  {
    type: "assistant",
    sessionId: "s",
    cwd: "/",
    uuid: "a",
    timestamp: "2026-11-01T00:00:01Z",
    message: {
      role: "assistant",
      content: [{ type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" } }],
    },
  },
];

async function writeTranscript(path: string): Promise<string> {
  const file = join(await makeFolder(path, ".claude/projects/p"), "t.jsonl");
  const lines = TRANSCRIPT.map((line) => JSON.stringify({ ...line, cwd: path }));
  await writeFile(file, `${lines.join("\n")}\n`);
  return file;
}

const withoutOneHook = async (path: string): Promise<void> => {
  const file = join(path, ".claude", "settings.json");
  const settings = JSON.parse(await readFile(file, "utf8")) as { hooks: Record<string, unknown> };
  delete settings.hooks["PreToolUse"];
  await writeFile(file, JSON.stringify(settings));
};

export const HOOK_HINTS: readonly HintRow[] = [
  {
    title: "no hooks, for the doctor",
    places: [`${VERBS}/doctor.ts: skillctl hooks`],
    shown: said("doctor"),
    command: "skillctl hooks install",
    fill: { NAME: "claude-code" },
    ends: [0, /settings\.json/],
  },
  {
    title: "hooks that are incomplete, for the doctor",
    places: [`${VERBS}/doctor.ts: skillctl hooks`],
    shown: hooked("claude-code", ["doctor"], withoutOneHook),
    command: "skillctl hooks install",
    ends: [0, /settings\.json/],
  },
  {
    title: "hooks of an agent that lets late calls pass, for the doctor",
    places: [`${VERBS}/doctor.ts: skillctl hooks`],
    shown: hooked("codex", ["doctor"]),
    command: "skillctl hooks status",
    ends: [0, /Codex/],
  },
  ...["doctor", "hooks status"].map((asked): HintRow => ({
    title: `a program that has changed since hooks were installed, ${asked}`,
    places:
      asked === "doctor" ? [`${VERBS}/doctor.ts: skillctl hooks`] : [`${VERBS}/hooks.ts: skillctl hooks`],
    shown: hooked("claude-code", asked.split(" "), async (path) => {
      const file = join(path, "state", "program.json");
      await writeFile(file, (await readFile(file, "utf8")).replace(/"hash":"[^"]*"/, '"hash":"0"'));
    }),
    command: "skillctl hooks install",
    fill: { NAME: "claude-code" },
    ends: [0, /settings\.json/],
  })),
  {
    title: "an audit without a transcript",
    places: [`${VERBS}/hooks-audit.ts: skillctl hooks`],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeTranscript(path);
      const typed: Say = (words) => say(words.map((word) => word.replace("~", path)));
      return [(await say(["hooks", "audit"])).err, typed];
    },
    command: "skillctl hooks audit",
    ends: [1, /Bash/],
  },
  {
    title: "an audit whose hooks cannot work",
    places: ["core/surfaces/hook/transcripts/verdicts.ts: skillctl hooks"],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await say(["hooks", "install", "--client", "claude-code"]);
      await writeFile(
        join(path, ".claude", "settings.local.json"),
        '{"env":{"SKILLCTL_STATE":"/elsewhere"}}',
      );
      return [(await say(["hooks", "audit", await writeTranscript(path)])).out, say];
    },
    command: "skillctl hooks status",
    ends: [1, /settings\.local\.json/],
  },
  {
    title: "hooks that ask a server that is not running",
    places: ["core/surfaces/hook/install/hook-settings.ts: skillctl serve"],
    shown: async (t) => {
      const server = ["--http", "http://127.0.0.1:9"];
      const [text, say] = await hooked("claude-code", ["hooks", "status"], undefined, server)(t);
      const typed: Say = (words) => say(words, { signal: AbortSignal.timeout(1_000) });
      return [text.replace("with that --port", "--port 0"), typed];
    },
    command: "skillctl serve",
    ends: [0, /^http:\/\/127\.0\.0\.1:\d+/],
  },
];
