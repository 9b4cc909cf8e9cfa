import gt from "semver/functions/gt.js";
import type { LockedSkill, SkillManifest } from "../../../contract.ts";
import { STRICTNESS } from "../../../guard/judgement.ts";
import { quotedName } from "../../../quoted-name.ts";
import type { JsonSchema } from "../../../schema/schemas.ts";
import { moduleOf } from "../../../skill.ts";
import { row } from "../text.ts";
import { publicationOf } from "./source.ts";

/** The manifest of a skill and the schema of its settings. */
export interface Contributor {
  readonly manifest: SkillManifest;
  readonly settings?: unknown;
}

/** Everything that a skill says it contributes, touches, executes and is configured by, one line each. */
function contributionsOf({ manifest, settings }: Contributor): readonly string[] {
  const {
    name,
    commands = {},
    routes = {},
    rules = {},
    prompts = {},
    provides = [],
    requires = {},
  } = manifest;
  const { hosts = [], paths = [], environment = [] } = manifest.permissions ?? {};
  const module = moduleOf(manifest);
  const { properties, required } = Object(settings) as JsonSchema;
  return [
    module === undefined ? "instructions SKILL.md, without code" : `code ${quotedName(module)}`,
    ...Object.entries(commands).map(([command, { summary }]) => `command ${command}: ${summary}`),
    ...Object.values(routes).map(({ method, path }) => `route ${method} /${name}${path}`),
    ...Object.entries(rules).map(
      ([rule, { decision = "by code", on = [], tell }]) =>
        `rule ${rule} (${decision}; hook ${on.join(", ") || "none"}): ${tell}`,
    ),
    ...Object.keys(prompts).map((prompt) => `prompt ${prompt}`),
    ...provides.map((port) => `port ${port}, lent`),
    ...Object.entries(requires).map(([port, need]) => `port ${port}, borrowed (${need})`),
    ...hosts.map((host) => `host ${quotedName(host)}`),
    ...paths.map((path) => `path ${quotedName(path)}`),
    ...environment.map((variable) => `variable ${quotedName(variable)}`),
    ...Object.entries(Object(properties)).map(([setting, schema]) => {
      const { secret, description = "" } = Object(schema) as JsonSchema;
      const need = Array.isArray(required) && required.includes(setting) ? " (required)" : "";
      return `${secret === true ? "secret " : ""}setting ${quotedName(setting)}${need}: ${String(description)}`;
    }),
  ].map(row);
}

/** Lines that widen the reach of a skill; the code of a rule about an agent's events sees each of these events. */
const PERMISSION =
  /^(?:host|path|variable|route|port) |^rule \S+ \(by code; hook [^)]*\b(?:tool|prompt|output|session|turn)\./;

/** The rules that an update removes or makes less strict, one sentence each. */
function weakerRules(before: SkillManifest, { rules = {} }: SkillManifest): readonly string[] {
  return Object.entries(before.rules ?? {}).flatMap(([name, { decision: was = "deny", on = [] }]) => {
    const now = rules[name];
    if (!now) return [`The rule ${name} is removed.`];
    const { decision = "deny" } = now;
    const left = on.filter((event) => !now.on?.includes(event));
    if (STRICTNESS[decision] < STRICTNESS[was])
      return [`The rule ${name} is weaker: ${was} before, now ${decision}.`];
    return left.length > 0 ? [`The rule ${name} no longer applies to ${left.join(", ")}.`] : [];
  });
}

/** The difference between an installed skill and the one that would replace it. */
export interface Change {
  readonly name: string;
  readonly from?: string;
  readonly to: string;
  readonly source: string;
  readonly resolved?: string;
  readonly digest: string;
  /** Lines of `contributionsOf`; all of them for a new skill. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** The added lines that are permissions. */
  readonly wider: readonly string[];
  /** Numbers of files. */
  readonly files: Readonly<Record<"added" | "changed" | "removed", number>>;
  readonly notes: readonly string[];
}

/** `before`: the installed skill and its contributions, which are missing if its folder is broken. */
export function changeOf(
  skill: Contributor,
  locked: LockedSkill,
  notes: readonly string[],
  before?: { readonly locked: LockedSkill; readonly skill: Contributor | undefined },
): Change {
  const { manifest } = skill;
  const [now, then] = [contributionsOf(skill), before?.skill ? contributionsOf(before.skill) : []];
  const [files, old] = [locked.files, before?.locked.files ?? {}];
  const added = now.filter((line) => !then.includes(line));
  const names = Object.keys(files);
  const { source, resolved, digest } = locked;
  return {
    name: manifest.name,
    ...(before && { from: before.locked.version }),
    to: manifest.version,
    source,
    ...(resolved !== undefined && { resolved }),
    digest,
    added,
    removed: then.filter((line) => !now.includes(line)),
    wider: added.filter((line) => PERMISSION.test(line)),
    files: {
      added: names.filter((name) => old[name] === undefined).length,
      changed: names.filter((name) => old[name] !== undefined && old[name] !== files[name]).length,
      removed: Object.keys(old).filter((name) => files[name] === undefined).length,
    },
    notes: [...notes, ...(before?.skill ? weakerRules(before.skill.manifest, manifest) : [])],
  };
}

/** The reason why an installed skill is not replaced by the fetched one. */
export function refusalOf(next: LockedSkill, before: LockedSkill): string | undefined {
  if (gt(before.version, next.version))
    return `it is version ${next.version}, older than the installed ${before.version}`;
  const publication = publicationOf(next.source);
  const isSame = next.resolved?.split(" ")[0] === before.resolved?.split(" ")[0];
  if (
    publication !== undefined &&
    publication === publicationOf(before.source) &&
    isSame &&
    next.digest !== before.digest
  )
    return `${quotedName(next.resolved ?? next.version)} no longer has the content that was installed`;
  return undefined;
}

/** The text that shows a change to a person before it is made. */
export function changeText({
  name,
  from,
  to,
  source,
  resolved,
  digest,
  added,
  removed,
  wider,
  files,
  notes,
}: Change): string {
  const title = from === undefined ? `${name} ${to}` : `${name} ${from} -> ${to}`;
  const origin =
    resolved === undefined ? quotedName(source) : `${quotedName(source)} (${quotedName(resolved)})`;
  const mark = from === undefined ? " " : "+";
  return [
    title,
    `  source ${origin}`,
    `  sha256 ${digest}`,
    `  files ${files.added} added, ${files.changed} changed, ${files.removed} removed`,
    ...added.map(
      (line) => `  ${mark} ${line}${from !== undefined && wider.includes(line) ? "  (asks for more)" : ""}`,
    ),
    ...removed.map((line) => `  - ${line}`),
    ...notes.map((note) => `  ! ${row(note)}`),
    "",
  ].join("\n");
}
