import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostedSkill } from "../../skill.ts";
import { main } from "./main.ts";
import type { Terminal, Surroundings } from "./verb.ts";

/** For tests: the parts of a skill folder. */
export interface SkillFixture {
  readonly manifest?: Readonly<Record<string, unknown>>;
  /** By file name without .json. */
  readonly schemas?: Readonly<Record<string, unknown>>;
  /** The text of plugin.js; undefined leaves it out. */
  readonly code?: string | undefined;
}

const TEXT_OUTPUT = {
  type: "object",
  required: ["text"],
  additionalProperties: false,
  properties: { text: { type: "string" } },
};

/** For tests: a plugin whose one command greets. */
export const GREETER = `export default {
  commands: { greet: class { run = async (input) => ({ text: "Hello " + input.name }); } },
};
`;

/** For tests: a new folder, removed by `close`. */
export async function temporaryFolder(): Promise<{
  readonly path: string;
  readonly close: () => Promise<void>;
}> {
  const path = await mkdtemp(join(tmpdir(), "skillctl-cli-"));
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}

/** For tests: runs functions after a test. */
export interface Ending {
  readonly after: (end: () => Promise<void>) => unknown;
}

/** For tests: the real path of a new folder, which is removed after the test. */
export async function ownFolder(t: Ending): Promise<string> {
  const { path, close } = await temporaryFolder();
  t.after(close);
  return realpath(path);
}

/** For tests: writes a skill with the default command `greet NAME`; parts replace the usual ones. */
export async function writeSkill(parent: string, name: string, parts: SkillFixture = {}): Promise<string> {
  const folder = join(parent, name);
  const input = {
    type: "object",
    required: ["name"],
    additionalProperties: false,
    properties: { name: { description: "Who is greeted.", type: "string" } },
  };
  const schemas = { "greet-input": input, "text-output": TEXT_OUTPUT, ...parts.schemas };
  const greet = {
    summary: "Greets.",
    input: `${name}/greet-input`,
    output: `${name}/text-output`,
    positional: ["name"],
    display: "text",
    default: true,
  };
  const manifest = {
    manifestVersion: 1,
    name,
    version: "1.0.0",
    summary: `The skill ${name}.`,
    engines: { skillctl: "*" },
    commands: { greet },
    ...parts.manifest,
  };
  await mkdir(join(folder, "schemas"), { recursive: true });
  await writeFile(join(folder, "skill.json"), JSON.stringify(manifest));
  await writeFile(join(folder, "SKILL.md"), `---\nname: ${name}\ndescription: ${manifest.summary}\n---\n`);
  for (const [file, schema] of Object.entries(schemas)) {
    await writeFile(
      join(folder, "schemas", `${file}.json`),
      JSON.stringify({ $id: `${name}/${file}`, ...schema }),
    );
  }
  const code = Object.hasOwn(parts, "code") ? parts.code : GREETER;
  if (code !== undefined) await writeFile(join(folder, "plugin.js"), code);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  return folder;
}

/** For tests: what a run of the command line showed. */
export interface Shown {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** For tests: runs the command line in this process, without the built-in skills unless they are handed over. */
export async function runCli(
  folder: string,
  words: readonly string[],
  {
    builtin = [],
    ...options
  }: Partial<Omit<Surroundings, "builtin">> & {
    readonly builtin?: readonly HostedSkill[];
    readonly signal?: AbortSignal;
    /** Acts like Ctrl-C as soon as something is shown. */
    readonly untilShown?: boolean;
    readonly columns?: number;
    readonly errorColumns?: number;
    readonly showsOut?: boolean;
    /** Called with all of standard output each time it grows. */
    readonly onOut?: (out: string) => void;
    /** The same for standard error. */
    readonly onErr?: (err: string) => void;
  } = {},
): Promise<Shown> {
  let [out, err] = ["", ""];
  const interrupted = new AbortController();
  const shows = (): void => (options.untilShown ? interrupted.abort() : undefined);
  const terminal: Terminal = {
    out: (text) => {
      out += text;
      options.onOut?.(out);
      shows();
    },
    err: (text) => {
      err += text;
      options.onErr?.(err);
      shows();
    },
    lively: false,
    colour: false,
    columns: options.columns ?? 80,
    errorColumns: options.errorColumns,
    showsOut: options.showsOut ?? false,
    signal: options.signal ?? interrupted.signal,
  };
  const status = await main(words, {
    version: "0.0.0-test",
    builtin: () => Promise.resolve(builtin),
    summaries: () => builtin.map(({ manifest }) => manifest),
    variables: {
      HOME: folder,
      SKILLCTL_STATE: join(folder, "state"),
      SKILLCTL_GUARD_TIMEOUT: "60",
    },
    workingFolder: folder,
    terminal: () => terminal,
    ...options,
  });
  return { status, out, err };
}
