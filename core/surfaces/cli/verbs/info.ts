import type { Catalog } from "../../../catalog.ts";
import type { SkillManifest } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { JsonSchema, Schemas } from "../../../schema/schemas.ts";
import type { HostedSkill } from "../../../skill.ts";
import { inputForm } from "../form.ts";
import { fieldText, usageLine } from "../help.ts";
import { answer, table, wrapped } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords } from "../words.ts";

const HELP = `Shows the contributions of a skill: commands, routes, rules, ports, permissions,
settings, prompts, subagents and errors. Loads none of its code.

Usage: skillctl info SKILL [--json]
`;

export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const [name] = readWords(words, {}, 1).positionals;
  if (name === undefined) {
    throw new SkillError("USAGE", "No skill is named.", {
      hint: "skillctl info SKILL; `skillctl list` shows the skills.",
    });
  }
  const { catalog, schemas } = await invocation.host();
  const document = await infoDocument(catalog.skill(name), catalog, schemas);
  answer(invocation, document, () => infoText(document, invocation.terminal.columns));
  return 0;
}

type Row = readonly [string, string];

/** `skillctl info` for a person. Sections without content are left out. */
function infoText(info: InfoDocument, columns: number): string {
  const head = `${info.name} ${info.files ? "(document)" : info.version}\n${wrapped(info.summary, columns)}\n`;
  const origin = info.builtin ? "built in" : "from outside";
  return [head, ...sections(info).map(([title, rows]) => section(title, rows, columns))]
    .concat(`Folder (${origin}):\n  ${info.folder}\n`)
    .filter((part) => part !== "")
    .join("\n");
}

function sections(info: InfoDocument): readonly (readonly [string, readonly Row[]])[] {
  const {
    commands = {},
    routes = {},
    rules = {},
    prompts = {},
    agents = {},
    errors = {},
    provides = [],
    requires = {},
  } = info;
  const { hosts = [], paths = [], environment = [] } = info.permissions ?? {};
  return [
    ["Commands", Object.entries(commands).map(([name, { summary }]) => [info.usage[name] ?? name, summary])],
    [
      "Routes",
      Object.values(routes).map(({ method, path, summary }) => [`${method} /${info.name}${path}`, summary]),
    ],
    [
      "Rules",
      Object.entries(rules).map(([name, { tell, decision, enforced }]) => [
        `${name} (${decision ?? (enforced === false ? "not enforced" : "decided by code")})`,
        tell,
      ]),
    ],
    ["Ports", [...provides.map((port): Row => [port, "lent"]), ...needs(requires)]],
    [
      "Permissions (declared, not enforced)",
      [
        ...hosts.map((host): Row => ["host", host]),
        ...paths.map((path): Row => ["path", path]),
        ...environment.map((variable): Row => ["variable", variable]),
      ],
    ],
    [`Settings (skillctl.json, config.${info.name})`, settings(info)],
    ["Fields of SKILL.md (shown, without effect: no tool is granted)", Object.entries(info.fields ?? {})],
    ["Files", (info.files ?? []).map((path): Row => [path, ""])],
    ["Prompts", Object.entries(prompts).map(([name, { file }]) => [name, file])],
    ["Subagents", Object.entries(agents).map(([name, { description }]) => [name, description])],
    [
      "Errors",
      Object.entries(errors).map(([code, { exit, summary }]) => [`${code} (exit ${exit})`, summary]),
    ],
  ];
}

function needs(requires: Readonly<Record<string, "required" | "optional">>): readonly Row[] {
  return Object.entries(requires).map(([port, need]) => [port, `borrowed, ${need}`]);
}

function settings({ settings: schema }: InfoDocument): readonly Row[] {
  return schema ? inputForm(schema).fields.map((field) => [field.name, fieldText(field)]) : [];
}

function section(title: string, rows: readonly Row[], columns: number): string {
  return rows.length === 0 ? "" : `${title}:\n${table(rows, columns)}`;
}

/** The output of `skillctl info`: the manifest, and further facts that need no code. */
interface InfoDocument extends SkillManifest {
  /** Absolute. */
  readonly folder: string;
  readonly builtin: boolean;
  /** The usage of each command. */
  readonly usage: Readonly<Record<string, string>>;
  /** Of a document: the fields of its SKILL.md other than name and description, and its files. */
  readonly fields?: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  /** The schema of the skill's settings, if it has any. */
  readonly settings?: JsonSchema;
}

/** @throws SkillError `SCHEMA_INVALID` if a schema that the manifest names is missing. */
async function infoDocument(skill: HostedSkill, catalog: Catalog, schemas: Schemas): Promise<InfoDocument> {
  const { $schema: _, ...manifest } = skill.manifest;
  const usage: Record<string, string> = {};
  for (const [name, command] of Object.entries(manifest.commands ?? {})) {
    const form = inputForm(await schemas.document(command.input), command.positional);
    usage[name] = usageLine(catalog.command(manifest.name, name), form);
  }
  const settings = manifest.config === undefined ? undefined : await schemas.document(manifest.config);
  const { folder, builtin, document } = skill;
  const plain = document && { fields: document.fields, files: Object.keys(document.files) };
  return { ...manifest, folder, builtin, usage, ...plain, ...(settings && { settings }) };
}
