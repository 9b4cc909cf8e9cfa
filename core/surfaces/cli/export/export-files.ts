import { basename } from "node:path";
import type { Catalog } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import { quotedName } from "../../../quoted-name.ts";
import { readSkillDocument } from "../../../skill-document.ts";
import { promptsOf } from "../../../skill-prompts.ts";
import type { HostedSkill } from "../../../skill.ts";
import { CLIENTS } from "../../hook/hook.ts";
import { hookCommand, type HookStart } from "../../hook/install/command.ts";
import { newSettings } from "../../hook/install/entries.ts";
import type { ExportClient, FileKind } from "./clients.ts";
import { fileOf, type ExportFile, type Values } from "./templates.ts";

/** The contents of an export. */
export interface ExportSource {
  readonly host: Host;
  /** The served skills. */
  readonly catalog: Catalog;
  /** The words that start skillctl, and the state folder. */
  readonly start: Pick<HookStart, "program" | "state">;
  /** Folders of third-party skills, absolute. */
  readonly plugins: readonly string[];
}

/** The files of an export, and sentences for the person: its limits, and the parts of the skills that it does not have. */
export interface Export {
  readonly files: readonly ExportFile[];
  readonly notes: readonly string[];
}

/** The files that a client installs. */
export async function exportOf(client: ExportClient, source: ExportSource): Promise<Export> {
  const values = await valuesOf(client, source);
  const common = commonValues(source);
  const files: ExportFile[] = [];
  for (const [kind, templates = []] of Object.entries(client.files))
    for (const own of values[kind as FileKind])
      files.push(...templates.map((template) => fileOf(template, { ...common, ...own })));
  const missing = Object.entries(client.without).filter(([kind]) => values[kind as FileKind].length > 0);
  const paths = files.map(({ path }) => path);
  const broken = source.catalog.skills
    .filter(({ manifest }) => !values.skill.some(({ skill }) => skill === manifest.name))
    .map(({ manifest, folder, document }) =>
      grantOf(document) === undefined
        ? `The documents of ${manifest.name} are left out, since its SKILL.md has faults: skillctl validate ${quotedName(folder)}`
        : `The document ${manifest.name} is left out, since clients would grant its allowed-tools: ${quotedName(grantOf(document) ?? "")}`,
    );
  return {
    files: files.filter(({ path }, index) => paths.indexOf(path) === index),
    notes: [...client.notes, ...missing.map(([, sentence]) => sentence), ...broken],
  };
}

/** The values of all templates. */
function commonValues({ host, catalog, start, plugins }: ExportSource): Values {
  const names = catalog.skills.map(({ manifest }) => manifest.name);
  const [command = "", ...words] = start.program;
  return {
    version: host.version,
    description: `Skills of skillctl: ${names.join(", ")}.`,
    command,
    bareCommand: basename(command).replace(/\.exe$/, ""),
    args: [
      ...words,
      "mcp",
      ...(catalog.withheld().length > 0 ? ["--only", names.join(",")] : []),
      ...plugins.flatMap((folder) => ["--plugin", folder]),
    ],
    env: start.state === undefined ? undefined : { SKILLCTL_STATE: start.state },
  };
}

/** The values of the files of each kind, one set for each file. */
async function valuesOf(
  client: ExportClient,
  { host, catalog, start }: ExportSource,
): Promise<Record<FileKind, readonly Values[]>> {
  const [{ instructionsOf }, { skillFolders }, { Tools }] = await Promise.all([
    import("../../mcp/instructions.ts"),
    import("../../mcp/skill-folders.ts"),
    import("../../mcp/tools.ts"),
  ]);
  const { skills } = catalog;
  const { files } = host.ports;
  const tools = new Tools(host, catalog, "mcp");
  const folders = skillFolders(catalog, files);
  const of = async (read: (skill: HostedSkill) => Promise<readonly Values[]>): Promise<readonly Values[]> =>
    (await Promise.all(skills.map(read))).flat();
  const texts = (part: "prompts" | "agents") =>
    of(async (skill) =>
      (await promptsOf(skill, files, part)).flatMap(({ name, text }) =>
        text === undefined
          ? []
          : [{ skill: skill.manifest.name, name, text, ...detailsOf(skill, part, name) }],
      ),
    );
  const detailsOf = ({ manifest }: HostedSkill, part: "prompts" | "agents", name: string): Values => {
    const agent = part === "agents" ? manifest.agents?.[name] : undefined;
    if (!agent) return { description: manifest.summary };
    const named = agent.commands.flatMap((called) =>
      tools.names().filter((tool) => {
        const { skill, name: command } = tools.find(tool) ?? {};
        return skill === manifest.name && command === called;
      }),
    );
    const own = (agent.uses ?? []).flatMap((kind) => client.uses[kind] ?? []);
    return {
      description: agent.description,
      tools: [...own, ...named.map((tool) => client.tool.replace("{tool}", tool))],
    };
  };
  const agents = await texts("agents");
  const dialect = CLIENTS.find(({ name }) => name === client.name);
  const hooks = dialect && newSettings(dialect, { command: hookCommand({ dialect: client.name, ...start }) });
  return {
    package: [{}],
    mcp: [{}],
    hook: [{ hooks: hooks && JSON.parse(hooks) }],
    skill: await of(async ({ manifest: { name }, document: plain }) => {
      if (grantOf(plain) !== undefined) return [];
      const found = await folders.files(name);
      const [, bytes] = found.find(([path]) => path === "SKILL.md") ?? [];
      const document = bytes && (await readSkillDocument(Buffer.from(bytes).toString("utf8"), name));
      if (document?.faults.every(({ severity }) => severity !== "error") !== true) return [];
      return found.map(([file, content]) => ({ skill: name, file, bytes: content }));
    }),
    command: await texts("prompts"),
    agent: agents,
    instructions: [{ text: blockOf(instructionsOf(skills, tools), client.files.agent ? agents : []) }],
  };
}

/** The tools that a client grants to a plain SKILL.md folder in its own folders. */
function grantOf(document: HostedSkill["document"]): string | undefined {
  return document?.fields["allowed-tools"];
}

/** A block that a person can find and replace in a file of instructions. */
function blockOf(instructions: string, agents: readonly Values[]): string {
  const handed = agents.map(
    ({ skill, name, description }) =>
      `- The subagent ${String(skill)}-${String(name)}: ${String(description).replaceAll(/\s+/g, " ")}\n`,
  );
  const body = `## Skills of skillctl\n\n${handed.length > 0 ? `${handed.join("")}\n` : ""}${instructions}`;
  return `<!-- skillctl:begin -->\n${body.replaceAll("<!--", "&lt;!--")}\n<!-- skillctl:end -->`;
}
