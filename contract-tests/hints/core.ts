/** Hints of the core that name a command. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import type { TestContext } from "node:test";
import { runCli, writeSkill, type SkillFixture } from "../../core/surfaces/cli/fixture-command-line.ts";
import { greetingFiles, writeSkill as writeFiles } from "../../core/testing/fixture-greeting.ts";
import { endRule, foreignHarness, ownFolder, shell } from "../doors-harness.ts";
import type { HintRow, Say } from "./table.ts";

export const VERBS = "core/surfaces/cli/verbs";
const NEVER = {
  tell: "Never.",
  on: ["command.pre"],
  when: { type: "object" },
  decision: "deny",
  message: "It is refused.",
};

/** A folder and the command line in it, without skills. */
export async function bare(t: TestContext): Promise<{ readonly path: string; readonly say: Say }> {
  const path = await ownFolder(t);
  return { path, say: (words, settings) => runCli(path, words, settings) };
}

/** The output and errors of a command line in a folder without skills. */
export const said =
  (...words: readonly string[]): HintRow["shown"] =>
  async (t) => {
    const { say } = await bare(t);
    const { out, err } = await say(words);
    return [out + err, say];
  };

/** Output and errors of a command line that names a skill by `--plugin`; the hint's command has no such flag. */
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

export async function makeFolder(parent: string, name: string): Promise<string> {
  await mkdir(join(parent, name), { recursive: true });
  return join(parent, name);
}

const input = (text: string) => Readable.from([Buffer.from(text)]);
/** A tool call as Codex reports it. */
const CALL = {
  session_id: "s",
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "ls" },
};
const runSample = () => ["run", "sample", "Ada"];

/** A skill whose skillctl.json must be trusted. */
async function cloned(t: TestContext) {
  const { path, say } = await bare(t);
  await writeSkill(path, "sample");
  await writeFile(join(path, "skillctl.json"), '{"plugins":["./sample"]}');
  return { path, say };
}

const DOCUMENTS = "core/documents/document-skills.ts";

/** The output of a command line where a project, or the home, has a plain SKILL.md folder `sample`. */
const besideDocument =
  (words: readonly string[], description: string, base = "home"): HintRow["shown"] =>
  async (t) => {
    const path = await ownFolder(t);
    const variables = { HOME: join(path, "home"), SKILLCTL_STATE: join(path, "state") };
    const project = await makeFolder(path, "project");
    const folder = await makeFolder(join(path, base, ".claude", "skills"), "sample");
    await writeFile(
      join(folder, "SKILL.md"),
      `---\nname: sample\ndescription: ${description}\n---\nDo it.\n`,
    );
    await writeFile(join(folder, "more.md"), "More.\n");
    const say: Say = (typed) => runCli(project, typed, { variables });
    const { out, err } = await say(words);
    return [out + err, say];
  };

export const CORE_HINTS: readonly HintRow[] = [
  {
    title: "a document with other files",
    places: [`${DOCUMENTS}: skillctl info`],
    shown: besideDocument(["prompt"], "It."),
    command: "skillctl info sample",
    ends: [0, /skills\/sample\n/],
  },
  {
    title: "a SKILL.md folder with a fault",
    places: [`${DOCUMENTS}: skillctl validate`],
    shown: besideDocument(["list"], "a: b"),
    command: "skillctl validate",
    ends: [1, /SKILL\.md:3/],
  },
  ...["skillctl trust --list", "skillctl trust ("].map((command): HintRow => ({
    title: `an untrusted SKILL.md folder, ${command}`,
    places: [`${DOCUMENTS}: skillctl trust`],
    shown: besideDocument(["list"], "It.", "project"),
    command,
    ends: [0, /document: \S+sample\n/],
  })),
  {
    title: "a folder with a skill.json among SKILL.md folders",
    places: [`${DOCUMENTS}: skillctl add`],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeSkill(await makeFolder(path, ".claude/skills"), "sample");
      return [(await say(["list"])).err, say];
    },
    command: "skillctl add",
    more: ["--yes"],
    ends: [0, /sample 1\.0\.0/],
  },
  {
    title: "an export without the documents of a skill",
    places: ["core/surfaces/cli/export/export-files.ts: skillctl validate"],
    shown: async (t) => {
      const { path, say } = await bare(t);
      const skill = await writeSkill(path, "sample");
      await writeFile(join(skill, "SKILL.md"), "");
      const { out } = await say([
        "export",
        "--client",
        "cursor",
        "--out",
        join(path, "out"),
        "--plugin",
        skill,
      ]);
      return [out, say];
    },
    command: "skillctl validate",
    ends: [1, /SKILL\.md/],
  },
  {
    title: "a skill that was left out for a fault",
    places: ["core/surfaces/cli/failure.ts: skillctl validate"],
    shown: saidWith({ manifest: { version: "one" } }, runSample),
    command: "skillctl validate /",
    ends: [1, /sample\/skill\.json#\/version: \/version does not fit/],
  },
  {
    title: "a skill that is not hosted, in a folder of the working folder",
    places: [],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeSkill(path, "sample");
      return [(await say(runSample())).err, (words) => say([...words, "Ada"])];
    },
    command: "skillctl run sample --plugin ./sample",
    ends: [0, /Hello Ada/],
  },
  {
    title: "an invalid input",
    places: [],
    shown: async (t) => {
      const { say } = await foreignHarness(t);
      return [(await say(["run", "sample", "--input", "[]"])).err, say];
    },
    command: "skillctl --plugin ",
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
  ...["skillctl trust --list", "skillctl trust"].map((command): HintRow => ({
    title: `an untrusted skill, ${command}`,
    places: ["core/surfaces/cli/main.ts: skillctl trust"],
    shown: async (t) => {
      const { say } = await cloned(t);
      return [(await say(runSample())).err, say];
    },
    command,
    ends: [0, /sample|skill folder/],
  })),
  ...["skillctl trust --list", "skillctl trust"].map((command): HintRow => ({
    title: `settings of an untrusted skill, ${command}`,
    places: [`${VERBS}/validate.ts: skillctl trust`],
    shown: async (t) => {
      const { path, say } = await cloned(t);
      const configuration = { plugins: ["./sample"], config: { sample: {} } };
      await writeFile(join(path, "skillctl.json"), JSON.stringify(configuration));
      return [(await say(["validate"])).out, say];
    },
    command,
    ends: [0, /sample|skill folder/],
  })),
  {
    title: "a new skill beside an untrusted one",
    places: [`${VERBS}/new.ts: skillctl trust`],
    shown: async (t) => {
      const { say } = await cloned(t);
      return [(await say(["new", "other"], { version: "0.1.0" })).out, say];
    },
    command: "skillctl trust --list",
    ends: [0, /other/],
  },
  {
    title: "an unknown flag",
    places: [],
    shown: said("--quite-unknown"),
    command: "skillctl --help",
    ends: [0, /skillctl list/],
  },
  {
    title: "a folder that cannot be written",
    places: ["core/adapters/files.ts: skillctl doctor"],
    shown: async (t) => {
      const { path, say } = await bare(t);
      await writeFile(join(path, ".claude"), "not a folder");
      return [(await say(["hooks", "install", "--client", "claude-code"])).err, say];
    },
    command: "skillctl doctor",
    // The doctor reports the settings that could not be written as a fault.
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
    title: "invalid settings of a skill",
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
    title: "a folder with an untrusted skillctl.json, for the doctor",
    places: [`${VERBS}/doctor.ts: skillctl trust`],
    shown: async (t) => {
      const { say } = await cloned(t);
      return [(await say(["doctor"])).out, say];
    },
    command: "skillctl trust --list",
    ends: [0, /sample/],
  },
  ...["skillctl trust --list", "skillctl trust\n"].map((command): HintRow => ({
    title: `a folder with an untrusted skillctl.json, ${command.trim()}`,
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
    title: "info without a skill, for the existing ones",
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
    title: "types of a folder elsewhere that is not a skill",
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
    title: "a SKILL.md whose rules differ from skill.json",
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
];
