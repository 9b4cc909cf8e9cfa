/** Hints of the core that name a command. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { TestContext } from "node:test";
import { runCli, writeSkill, type SkillFixture } from "../../core/surfaces/cli/fixture-command-line.ts";
import { greetingFiles, writeSkill as writeFiles } from "../../core/testing/fixture-greeting.ts";
import { endRule, foreignHarness, ownFolder, shell } from "../doors-harness.ts";
import { SKILLS } from "../harness.ts";
import type { HintRow, Say } from "./table.ts";

const VERBS = "core/surfaces/cli/verbs";
const NEVER = {
  tell: "Never.",
  on: ["command.pre"],
  when: { type: "object" },
  decision: "deny",
  message: "It is refused.",
};

/** A folder and the command line in it, without skills. */
async function bare(t: TestContext): Promise<{ readonly path: string; readonly say: Say }> {
  const path = await ownFolder(t);
  return { path, say: (words, settings) => runCli(path, words, settings) };
}

/** What a command line says in a folder without skills. */
const said =
  (...words: readonly string[]): HintRow["shown"] =>
  async (t) => {
    const { say } = await bare(t);
    const { out, err } = await say(words);
    return [out + err, say];
  };

/** What a command line that names a skill by `--plugin` says; the hint's command has no such flag. */
const saidWith =
  (parts: SkillFixture, words: (folder: string) => readonly string[]): HintRow["shown"] =>
  async (t) => {
    const { path, say } = await bare(t);
    const skill = await writeSkill(await makeFolder(path, "else"), "sample", parts);
    const { out, err } = await say([...words(skill), "--plugin", skill], {
      standardInput: () => input(JSON.stringify(CALL)),
    });
    return [out + err, say];
  };

async function makeFolder(parent: string, name: string): Promise<string> {
  await mkdir(join(parent, name), { recursive: true });
  return join(parent, name);
}

const input = (text: string) => Readable.from([Buffer.from(text)]);
/** A tool call as Codex tells it. */
const CALL = {
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
};
const runSample = () => ["run", "sample", "Ada"];

/** A skill whose skillctl.json has to be trusted. */
async function cloned(t: TestContext) {
  const { path, say } = await bare(t);
  await writeSkill(path, "sample");
  await writeFile(join(path, "skillctl.json"), '{"plugins":["./sample"]}');
  return { path, say };
}

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

export const CORE_HINTS: readonly HintRow[] = [
  {
    title: "a skill that was left out for a fault",
    places: ["core/surfaces/cli/failure.ts: skillctl validate"],
    shown: saidWith({ manifest: { version: "one" } }, runSample),
    command: "skillctl validate /",
    ends: [1, /sample\/skill\.json#\/version: \/version does not fit/],
  },
  {
    title: "an input that does not fit",
    places: [],
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["run", "sample", "--input", "[]"])).err, say];
    },
    command: "skillctl run sample ",
    ends: [0, /Usage: skillctl run sample|skillctl run sample /],
  },
  {
    title: "a command that a rule denies",
    places: ["core/surfaces/cli/failure.ts: skillctl why"],
    shown: async (t) => {
      const { say } = await foreignHarness(t, { manifest: { rules: { no: NEVER } } });
      return [(await say(["run", "sample", "Ada"])).err, say];
    },
    command: "skillctl why g-",
    ends: [0, /sample\/no/],
  },
  {
    title: "a tool call that a rule denies, in the words of an agent",
    places: ["core/surfaces/hook/dialect.ts: skillctl why"],
    shown: async (t) => {
      const { guard, say } = await foreignHarness(t, { manifest: { rules: { no: endRule("deny") } } });
      const call = { session_id: "s", hook_event_name: "PreToolUse", tool_name: "Bash" };
      return [(await guard("codex", { ...call, tool_input: { command: "x deny" } })).out, say];
    },
    command: "skillctl why g-",
    ends: [0, /sample\/no/],
  },
  {
    title: "a run without a skill",
    places: [`${VERBS}/run.ts: skillctl list`],
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["run"])).err, say];
    },
    command: "skillctl list",
    ends: [0, /^sample /],
  },
  {
    title: "an unknown flag",
    places: [],
    shown: said("--quite-unknown"),
    command: "skillctl --help",
    ends: [0, /skillctl list/],
  },
  ...["skillctl list", "skillctl run music-analysis", "skillctl run music-analysis ask"].map(
    (command): HintRow => ({
      title: `an example of the program's help, ${command}`,
      places: [`core/surfaces/cli/main.ts: ${command}`],
      shown: async (t) => {
        const { say } = await bare(t);
        const boxed: Say = (words, settings) => say(words, { builtin: SKILLS, ...settings });
        return [(await boxed(["--help"])).out, boxed];
      },
      command,
      ends: [0, /music-analysis|## 1\. Plays/],
    }),
  ),
  {
    title: "a folder that cannot be written",
    places: ["core/adapters/files.ts: skillctl doctor"],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeFile(join(path, ".claude"), "not a folder");
      return [(await say(["hooks", "install", "--client", "claude-code"])).err, say];
    },
    command: "skillctl doctor",
    // The settings that could not be written are a fault that it tells.
    ends: [1, /State folder \S+state can be written/],
  },
  {
    title: "code of a skill that is not JavaScript",
    places: ["core/errors/skill-error.ts: skillctl validate"],
    shown: saidWith({ code: "export default {\n  commands: {,\n};\n" }, runSample),
    command: "skillctl validate DIR",
    fill: { DIR: "else/sample" },
    ends: [1, /plugin\.js .*\(2:13\)/],
  },
  {
    title: "a schema that cannot be compiled",
    places: ["core/schema/schemas.ts: skillctl validate"],
    shown: saidWith({ schemas: { "text-output": { type: "object", maxProperties: "two" } } }, runSample),
    command: "skillctl validate DIR",
    fill: { DIR: "else/sample" },
    ends: [1, /text-output\.json/],
  },
  {
    title: "settings of a skill that do not fit",
    places: ["core/settings.ts: skillctl info"],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeSkill(path, "sample", {
        manifest: { config: "sample/config" },
        schemas: { config: { type: "object", properties: { size: { type: "number" } } } },
      });
      await writeFile(
        join(path, "skillctl.json"),
        '{"plugins":["./sample"],"config":{"sample":{"size":"x"}}}',
      );
      await say(["trust"]);
      return [(await say(["run", "sample", "Ada"])).err, say];
    },
    command: "skillctl info sample",
    ends: [0, /size/],
  },
  {
    title: "a folder whose skillctl.json waits, for the doctor",
    places: [`${VERBS}/doctor.ts: skillctl trust`],
    shown: async (t) => {
      const { say } = await cloned(t);
      return [(await say(["doctor"])).out, say];
    },
    command: "skillctl trust --list",
    ends: [0, /sample/],
  },
  ...["skillctl trust --list", "skillctl trust\n"].map((command): HintRow => ({
    title: `a folder whose skillctl.json waits, ${command.trim()}`,
    places: ["core/trust/trust.ts: skillctl trust"],
    shown: async (t) => {
      const { say } = await cloned(t);
      return [(await say(["list"])).err, say];
    },
    command,
    ends: [0, /sample|skill folder|rust/],
  })),
  {
    title: "a hosted skill with a fault, for the doctor",
    places: [`${VERBS}/doctor.ts: skillctl validate`],
    shown: saidWith({ manifest: { version: "one" } }, () => ["doctor"]),
    command: "skillctl validate",
    ends: [1, /sample\/skill\.json#\/version/],
  },
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
    title: "a guard with a skill that was left out",
    places: [`${VERBS}/guard.ts: skillctl validate`],
    shown: saidWith({ manifest: { version: "one" } }, () => ["guard", "--dialect", "codex"]),
    command: "skillctl validate",
    ends: [1, /sample\/skill\.json#\/version/],
  },
  {
    title: "the help of the guard",
    places: [`${VERBS}/guard.ts: skillctl why`],
    shown: async (t) => {
      const { say, decided } = await foreignHarness(t, { manifest: { rules: { no: endRule("deny") } } });
      await decided(shell("x deny"));
      return [(await say(["guard", "--help"])).out, say];
    },
    command: "skillctl why",
    ends: [0, /sample\/no/],
  },
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
    title: "info without a skill",
    places: [`${VERBS}/info.ts: skillctl info`],
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["info"])).err, say];
    },
    command: "skillctl info SKILL",
    fill: { SKILL: "sample" },
    ends: [0, /sample/],
  },
  {
    title: "info without a skill, for those there are",
    places: [`${VERBS}/info.ts: skillctl list`],
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["info"])).err, say];
    },
    command: "skillctl list",
    ends: [0, /^sample /],
  },
  {
    title: "a list of one skill",
    places: [`${VERBS}/list.ts: skillctl info`],
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["list", "sample"])).err, say];
    },
    command: "skillctl info SKILL",
    fill: { SKILL: "sample" },
    ends: [0, /sample/],
  },
  ...["run", "validate", "test"].map((verb): HintRow => ({
    title: `a new skill, ${verb}`,
    places: verb === "validate" ? [`${VERBS}/new.ts: skillctl validate`] : [],
    shown: said("new", "hello"),
    command: `skillctl ${verb} `,
    ends: [0, /Ada|no faults|passed/],
  })),
  {
    title: "a skill whose SKILL.md has faults, for the prompt",
    places: [`${VERBS}/prompt.ts: skillctl validate`],
    shown: async (t) => {
      const { path, say } = await bare(t);
      const skill = await writeSkill(path, "sample");
      await writeFile(join(skill, "SKILL.md"), "---\nname: other\n---\n");
      return [(await say(["prompt", "--plugin", skill])).err, say];
    },
    command: "skillctl validate",
    ends: [1, /SKILL\.md/],
  },
  {
    title: "types of a folder elsewhere that is no skill",
    places: [`${VERBS}/types.ts: skillctl validate`],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeSkill(await makeFolder(path, "else"), "sample", { manifest: { version: "one" } });
      return [(await say(["types", "else/sample"])).err, say];
    },
    command: "skillctl validate",
    ends: [1, /sample\/skill\.json#\/version/],
  },
  {
    title: "a SKILL.md whose rules are not those of skill.json",
    places: ["core/validation/skill-folder.ts: skillctl validate"],
    shown: async (t) => {
      const { path, say } = await bare(t);
      const head = "---\nname: greeting\ndescription: Greets a person by name. Use it to greet.\n---\n";
      const stale = `${head}<!-- rules:begin -->\n- Other.\n<!-- rules:end -->\n`;
      await writeFiles(path, "greeting", { ...greetingFiles(), "SKILL.md": stale });
      return [(await say(["validate", "greeting"])).out, say];
    },
    command: "skillctl validate --fix",
    fill: { DIR: "greeting" },
    ends: [0, /1 skill checked, no faults/],
  },
  {
    title: "hooks that ask a server which does not run",
    places: ["core/surfaces/hook/install/hook-settings.ts: skillctl serve"],
    shown: async (t) => {
      const server = ["--http", "http://127.0.0.1:9"];
      const [text, say] = await hooked("claude-code", ["hooks", "status"], undefined, server)(t);
      const typed: Say = (words) => say(words, { signal: AbortSignal.timeout(1_000) });
      return [text.replace("with that --port", "--port 0"), typed];
    },
    command: "skillctl serve",
    ends: [0, /./],
  },
];
