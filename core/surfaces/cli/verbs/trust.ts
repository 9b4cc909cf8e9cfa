import { dirname, resolve } from "node:path";
import { configurationFile, isThere } from "../../../adapters/configuration-files.ts";
import { readConfiguration } from "../../../adapters/configuration.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { allRecords, dropRecord, type TrustRecord } from "../../../adapters/trust-records.ts";
import {
  contributionOf,
  trust,
  assess,
  changesSince,
  type Contribution,
  type FileChange,
} from "../../../trust/trust.ts";
import {
  distrustDocuments,
  documentsSince,
  trustDocuments,
  waitingDocuments,
} from "../../../documents/document-trust.ts";
import { coreSchemas } from "../schema-files.ts";
import { answer, row } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, type Flags } from "../words.ts";
import { quotedName } from "../../../quoted-name.ts";

const HELP = `Trusts the skillctl.json of a folder: its skills (code, prompts, SKILL.md), its
settings, its rules and their messages, and the plain SKILL.md folders in
.agents/skills and .claude/skills. Before that none of it runs or is shown to a
model; only rules that ask or deny count.

Usage: skillctl trust [DIR]
       skillctl trust --list
       skillctl untrust [DIR]

  DIR     The project. Default: here
  --list  The trusted folders with the files that have changed since, and the
          contents that wait here

Trust covers the present content: skillctl.json and every file of the skills
that it names, without node_modules. After a change to one of them you are
asked again. A change in a plain SKILL.md folder stops that folder alone.
Folders that you name by --plugin or SKILLCTL_PLUGINS need no trust.
`;

const FLAGS: Flags = { list: { type: "boolean" } };

/** Trusts a folder, or lists the trusted folders. */
export const verb: Verb = { help: HELP, flags: FLAGS, run };

/** A folder in `--list`. */
interface TrustRow extends Partial<Contribution> {
  readonly folder: string;
  /** `missing`: it no longer has a skillctl.json. `broken`: its skillctl.json or its record cannot be used. */
  readonly state: "trusted" | "changed" | "waiting" | "missing" | "broken";
  readonly at?: string;
  readonly reason?: string;
  /** Plain SKILL.md folders, absolute. */
  readonly documents?: readonly string[];
  /** The files of a changed folder that differ from the trusted ones, if its record names them. */
  readonly changes?: readonly FileChange[];
}

/** The list names at most this many files of a folder; JSON names all. */
const MOST_SHOWN = 20;

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS, words.includes("--list") ? 0 : 1);
  const [folder = "."] = read.positionals;
  const lists = read.flags.has("list");
  const { variables, workingFolder } = invocation;
  const { stateFolder } = processEnvironment(variables, workingFolder);
  if (lists) {
    const folders = await listed(invocation, stateFolder);
    const none = "No folder is trusted; this one needs no trust.\n";
    answer(invocation, { folders }, () => folders.map(asText).join("") || none);
    return 0;
  }
  const project = resolve(workingFolder, folder);
  const file = configurationFile(project);
  const configuration =
    file === undefined ? undefined : readConfiguration(file, await coreSchemas.check("core/configuration"));
  const said = file && configuration && (await trust(file, configuration, stateFolder));
  const documents = await trustDocuments(project, stateFolder);
  if (!said && documents.length === 0)
    throw new SkillError("FILE_UNREADABLE", `There is no skillctl.json in ${quotedName(project)}.`, {
      hint: "A folder without skillctl.json and SKILL.md folders has no contents to trust.",
    });
  const output = { folder: project, ...said, ...(configuration && contributionOf(configuration)), documents };
  const again = "You are asked again when one of its files changes.\n";
  answer(
    invocation,
    output,
    () => `${quotedName(output.folder)} is trusted as it is now.\n${details(output)}${again}`,
  );
  return 0;
}

/** Every folder with a record, and this one if it needs trust. */
async function listed(invocation: Invocation, stateFolder: string): Promise<readonly TrustRow[]> {
  const folders: TrustRow[] = [];
  for (const record of allRecords(stateFolder))
    folders.push(
      "file" in record
        ? { folder: record.file, state: "broken", reason: record.reason }
        : await stateOf(record, stateFolder),
    );
  const { waiting, workingFolder, variables } = invocation;
  const { home } = processEnvironment(variables, workingFolder);
  const documents = waitingDocuments(workingFolder, home, stateFolder);
  if (documents.length > 0) folders.push({ folder: workingFolder, state: "waiting", documents });
  if (waiting?.state === "new") {
    const { folder, plugins, config, rules } = waiting;
    folders.push({ folder, state: "waiting", plugins, config, rules });
  }
  return folders;
}

async function stateOf(record: TrustRecord, stateFolder: string): Promise<TrustRow> {
  const { folder, at } = record;
  const plain = documentsSince(record);
  if (plain) return { folder, at, state: plain.changes.length > 0 ? "changed" : "trusted", ...plain };
  const file = configurationFile(folder);
  if (file === undefined) return { folder, at, state: "missing" };
  try {
    const configuration = readConfiguration(file, await coreSchemas.check("core/configuration"));
    const { waiting } = assess(file, configuration, stateFolder);
    const { reason } = waiting ?? {};
    const state = waiting ? "changed" : "trusted";
    const changes = waiting && !reason ? changesSince(record, file, configuration) : undefined;
    const more = { ...(reason && { reason }), ...(changes && { changes }) };
    return { folder: dirname(file), at, state, ...contributionOf(configuration), ...more };
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    return { folder, at, state: "broken", reason: caught.message };
  }
}

function asText(one: TrustRow): string {
  const since = one.at === undefined ? "" : ` (since ${one.at})`;
  const reason = one.reason === undefined ? "" : `  ${row(one.reason)}\n`;
  const { changes = [] } = one;
  const shown = changes.slice(0, MOST_SHOWN).map(({ file, change }) => `  ${change}: ${quotedName(file)}\n`);
  const rest = changes.length - shown.length;
  const files = shown.join("") + (rest > 0 ? `  and ${rest} more files (all: --json)\n` : "");
  return `${one.state.padEnd(9)}${quotedName(one.folder)}${since}\n${reason}${files}${details(one)}`;
}

function details({ plugins = [], config = [], rules = [], documents = [] }: Partial<TrustRow>): string {
  const lines = [
    ...skillFolders(plugins).map(
      (folder) => `  skill: ${quotedName(folder)}${isThere(folder) ? "" : " (missing)"}\n`,
    ),
    ...config.map((skill) => `  settings of ${quotedName(skill)}\n`),
    ...rules.map((rule) => `  rule: ${quotedName(rule)}\n`),
    ...documents.map((folder) => `  document: ${quotedName(folder)}\n`),
  ];
  return lines.join("");
}

/** Revokes the trust in a folder. */
export const untrust: Verb = {
  help: `Revokes \`skillctl trust\`: the contents of the folder's skillctl.json, and its
SKILL.md folders, are ignored again.

Usage: skillctl untrust [DIR]    Default: the working folder
`,
  run: takeBack,
};

async function takeBack(words: readonly string[], invocation: Invocation): Promise<number> {
  const [given = "."] = readWords(words, {}, 1).positionals;
  const { variables, workingFolder } = invocation;
  const folder = resolve(workingFolder, given);
  const { stateFolder } = processEnvironment(variables, workingFolder);
  const hadDocuments = await distrustDocuments(folder, stateFolder);
  const changed = (await dropRecord(folder, stateFolder)) || hadDocuments;
  const state = changed ? "is no longer trusted" : "was not trusted";
  answer(invocation, { folder, changed }, () => `${quotedName(folder)} ${state}.\n`);
  return 0;
}
