import subset from "semver/ranges/subset.js";
import type { Command, Rule } from "../../../contract.ts";
import { pointerOf } from "../../../schema/fault.ts";
import { equal } from "../../../schema/json.ts";
import type { JsonSchema } from "../../../schema/schemas.ts";
import { inputForm } from "../form.ts";
import { EVERYWHERE, addressesOf, factsOf, type Contract, type Fact } from "./contract-facts.ts";
import {
  schemaChanges,
  secretChanges,
  shown,
  type Role,
  type SchemaChange,
  type Verdict,
} from "./schema-changes.ts";
import { gapsBetween } from "./schema-gaps.ts";

/** A change to a contract, with the surfaces to which its verdict applies. */
export interface Change extends Omit<SchemaChange, "keyword"> {
  readonly skill: string;
  /** `cli`, `http`, `mcp` and `host`; `guard` for rules, `settings`, `every surface`. */
  readonly surfaces: readonly string[];
  /** `skill.json`, or the name of a schema; then the pointer leads into the values that the schema checks. */
  readonly file: string;
}

type Keyed = Readonly<Record<string, unknown>>;

const NO_SETTINGS: JsonSchema = { type: "object", additionalProperties: false };

/** The changes from one contract of a skill to another. A side is missing if it has no skill of that name. */
export async function contractChanges(before?: Contract, after?: Contract): Promise<readonly Change[]> {
  const { name } = (after ?? before)?.manifest ?? { name: "" };
  const changes = new Changes(name);
  if (before && after) await compare(before, after, changes);
  else
    changes.add(
      before ? "breaking" : "not breaking",
      [EVERYWHERE],
      "",
      before && name,
      after && name,
      `The skill ${name} is ${before ? "gone" : "new"}.`,
    );
  return changes.all;
}

class Changes {
  readonly all: Change[] = [];

  constructor(private readonly skill: string) {}

  add(
    verdict: Verdict,
    surfaces: readonly string[],
    pointer: string,
    before: unknown,
    after: unknown,
    sentence: string,
  ): void {
    const { skill } = this;
    const same = this.all.findIndex((one) => one.sentence === sentence && one.verdict === verdict);
    const known = this.all[same];
    if (known) this.all[same] = { ...known, surfaces: [...known.surfaces, ...surfaces] };
    else this.all.push({ verdict, skill, surfaces, file: "skill.json", pointer, before, after, sentence });
  }

  addSchema(surfaces: readonly string[], file: string, changes: readonly SchemaChange[]): void {
    for (const { keyword: _, ...change } of changes)
      this.all.push({ ...change, skill: this.skill, surfaces, file });
  }
}

async function compare(before: Contract, after: Contract, changes: Changes): Promise<void> {
  const [old, now] = [before.manifest, after.manifest];
  const addresses = Object.values(old.routes ?? {}).map((route) => addressesOf(route)[0] ?? "");
  const [facts, others] = [await factsOf(before, addresses), await factsOf(after, addresses)];
  const shared = compareFacts(facts, others, changes);
  const schemas = async (
    surfaces: readonly string[],
    subject: string,
    role: Role,
    one?: string,
    other?: string,
  ): Promise<void> => {
    if (one === undefined && other === undefined) return;
    const [left, right] = [one ? await before.document(one) : {}, other ? await after.document(other) : {}];
    const name = other ?? one ?? "";
    changes.addSchema(surfaces, name, await schemaChanges(name, subject, role, left, right));
  };
  for (const [name, one, other] of pairs(old.commands, now.commands)) {
    const surfaces = shared(`The command ${name}`);
    if (!one || !other || surfaces.length === 0) continue;
    await schemas(surfaces, `The input of ${name}`, "input", one.input, other.input);
    await schemas(surfaces, `The output of ${name}`, "output", one.output, other.output);
    if (surfaces.includes("cli"))
      comparePositionals(name, await wordsOf(one, before), await wordsOf(other, after), changes);
    compareRest(surfaces, pointerOf("commands", name), one, other, COMMAND_KEYS, changes);
    const isDemand = [one.mcp?.task, other.mcp?.task].includes("required");
    const known = [...MCP_KEYS, ...(isDemand ? ["task"] : [])];
    if (surfaces.includes("mcp"))
      compareRest(
        ["mcp"],
        pointerOf("commands", name, "mcp"),
        one.mcp ?? {},
        other.mcp ?? {},
        known,
        changes,
      );
  }
  for (const [name, one] of Object.entries(old.routes ?? {})) {
    const [address = ""] = addressesOf(one);
    const other = Object.values(now.routes ?? {}).find((route) => addressesOf(route).includes(address));
    if (!other) continue;
    await schemas(["http"], `The query of ${address}`, "query", one.query, other.query);
    if (!one.raw && !other.raw)
      await schemas(["http"], `The body of ${address}`, "input", one.body, other.body);
    for (const [status, reply] of Object.entries(one.replies))
      if (other.replies[status])
        await schemas(["http"], `The reply ${status} of ${address}`, "output", reply, other.replies[status]);
    compareRest(["http"], pointerOf("routes", name), one, other, ROUTE_KEYS, changes);
    if (!one.raw && other.raw)
      changes.add(
        "unknown",
        ["http"],
        pointerOf("routes", name, "raw"),
        one.raw,
        true,
        `The route ${address} checks its body itself; the effect is unknown.`,
      );
  }
  for (const [name, one, other] of pairs(old.rules, now.rules)) {
    const [verdict, what] = ruleChange(one, other) ?? [];
    if (verdict)
      changes.add(verdict, ["guard"], pointerOf("rules", name), one, other, `The rule ${name} ${what}.`);
  }
  const settings = now.config ?? old.config ?? "skill.json";
  const left = old.config ? await before.document(old.config) : NO_SETTINGS;
  const right = now.config ? await after.document(now.config) : NO_SETTINGS;
  changes.addSchema(
    ["settings"],
    settings,
    await schemaChanges(settings, "The settings", "input", left, right),
  );
  changes.addSchema(["settings"], settings, secretChanges(left, right));
  const [range, next] = [old.engines.skillctl, now.engines.skillctl];
  const runs = subset(range, next) ? "" : ", which excludes versions that it ran on";
  if (range !== next)
    changes.add(
      runs ? "breaking" : "not breaking",
      [EVERYWHERE],
      "/engines/skillctl",
      range,
      next,
      `The skill requires skillctl ${next}${runs}.`,
    );
  compareRest([EVERYWHERE], "", old, now, SKILL_KEYS, changes);
}

/** Adds the changes in facts. The returned function gives the surfaces on which both sides have an owner. */
function compareFacts(
  facts: readonly Fact[],
  others: readonly Fact[],
  changes: Changes,
): (owner: string) => readonly string[] {
  const [before, after] = [facts, others].map(
    (some) => new Map(some.map((fact) => [`${fact.surface} ${fact.subject}`, fact])),
  );
  const isShared = (surface: string, owner: string): boolean =>
    [before, after].every((side) => side?.has(`${surface} ${owner}`));
  for (const [, one, other] of pairs(Object.fromEntries(before ?? []), Object.fromEntries(after ?? []))) {
    const { subject, surface, kind, owner, isQuiet, pointer } = (other ?? one) as Fact;
    if (equal(one?.value, other?.value) || (owner !== undefined && !isShared(surface, owner))) continue;
    const isBreaking = one && other ? true : kind === (one ? "offer" : "demand");
    if (!isBreaking && isQuiet) continue;
    const what =
      one && other ? `was ${shown(one.value)} and is ${shown(other.value)}` : one ? "is gone" : "is new";
    changes.add(
      isBreaking ? "breaking" : "not breaking",
      [surface],
      pointer,
      one?.value,
      other?.value,
      `${subject} ${what}.`,
    );
  }
  return (owner) =>
    facts
      .filter(({ subject, surface }) => subject === owner && isShared(surface, owner))
      .map(({ surface }) => surface);
}

/** Keys whose changes are compared, and keys of texts. Changes of other keys are reported as unknown. */
const COMMAND_KEYS =
  "summary input output positional display default keepsRunning inputVaries surfaces mcp effects paths withheld errors exitStatus".split(
    " ",
  );
const MCP_KEYS = ["as", "name", "uri", "rare"];
const ROUTE_KEYS = "summary method path aliases query body raw collects errors keyless replies".split(" ");
const SKILL_KEYS =
  "$schema manifestVersion name version summary engines plugin provides requires permissions config commands routes rules prompts texts errors".split(
    " ",
  );
const RULE_TEXTS = ["tell", "foremost", "message", "agentMessage", "context", "why"];

function compareRest(
  surfaces: readonly string[],
  at: string,
  one: object,
  other: object,
  known: readonly string[],
  changes: Changes,
): void {
  for (const [key, left, right] of pairs(one as Keyed, other as Keyed))
    if (!known.includes(key) && !equal(left, right))
      changes.add(
        "unknown",
        surfaces,
        at + pointerOf(key),
        left,
        right,
        `${at || "The skill"}: \`${key}\` was ${shown(left)} and is ${shown(right)}; the effect is unknown.`,
      );
}

async function wordsOf(
  { input, positional }: Command,
  { document }: Contract,
): Promise<readonly { readonly name: string; readonly list: boolean }[]> {
  return inputForm(await document(input), positional).positional;
}

function comparePositionals(
  name: string,
  one: Awaited<ReturnType<typeof wordsOf>>,
  other: typeof one,
  changes: Changes,
): void {
  const [before, after] = [one, other].map((fields) => fields.map((field) => field.name));
  if (!before || !after || equal(before, after)) return;
  const what = !before.every((word, index) => after[index] === word)
    ? "takes its positional words in another order, or as other properties"
    : before.length === 0
      ? "no longer takes a JSON object as its only word for its whole input"
      : one.at(-1)?.list
        ? "assigns its last words to another property"
        : undefined;
  changes.add(
    what ? "breaking" : "not breaking",
    ["cli"],
    pointerOf("commands", name, "positional"),
    before,
    after,
    `The command ${name} ${what ?? "takes further positional words"}.`,
  );
}

/** The power of a rule, 0 to 3: nothing, warn, ask, deny. A rule with code counts as 3, since it may deny. */
function powerOf(rule: Rule | undefined): number {
  if (!rule?.on || rule.mode === "audit" || rule.enforced === false) return 0;
  return rule.handler ? 3 : ["warn", "ask", "deny"].indexOf(rule.decision ?? "warn") + 1;
}

function ruleChange(one: Rule | undefined, other: Rule | undefined): readonly [Verdict, string] | undefined {
  const acts = (rule: Rule | undefined): Keyed =>
    Object.fromEntries(Object.entries(rule ?? {}).filter(([key]) => !RULE_TEXTS.includes(key)));
  if (equal(acts(one), acts(other)) && one && other) return undefined;
  const [was, is] = [powerOf(one), powerOf(other)];
  if (is < 2 || !other) return ["not breaking", other ? "stops nothing" : "is gone"];
  if (other.handler || one?.handler) return ["unknown", "decides by code; the effect is unknown"];
  if (was < 2 || !one)
    return ["breaking", is === 3 ? "denies requests that passed" : "asks about requests that passed"];
  if (is > was) return ["breaking", "denies requests that it asked about"];
  const more = (other.on ?? []).filter((event) => !one.on?.includes(event));
  if (more.length > 0) return ["breaking", `also decides at ${more.join(", ")}`];
  if (other.applies === "all" && one.applies !== "all") return ["breaking", "applies to every skill"];
  const gaps = gapsBetween(other.when ?? {}, one.when ?? {});
  if (gaps.length === 0) return ["not breaking", "stops no request that it let pass"];
  return gaps.some(({ isProved }) => isProved)
    ? ["breaking", "stops requests that it let pass"]
    : ["unknown", "may stop requests that it let pass"];
}

function* pairs<T>(
  one: Readonly<Record<string, T>> = {},
  other: typeof one = {},
): Generator<readonly [name: string, one: T | undefined, other: T | undefined]> {
  for (const name of new Set([...Object.keys(one), ...Object.keys(other)]))
    yield [name, one[name], other[name]];
}
