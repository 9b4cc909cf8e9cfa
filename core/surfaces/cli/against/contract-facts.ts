import { surfacesOf } from "../../../catalog.ts";
import type { Command, Route, SkillManifest } from "../../../contract.ts";
import { pointerOf } from "../../../schema/fault.ts";
import type { JsonSchema } from "../../../schema/schemas.ts";
import { inputForm } from "../form.ts";

/** One side of a comparison: data only. */
export interface Contract {
  readonly manifest: SkillManifest;
  /** @throws SkillError `SCHEMA_INVALID` */
  readonly document: (schema: string) => Promise<JsonSchema>;
}

/** A statement of a contract outside its schemas. */
export interface Fact {
  /** The subject of the sentence about the fact. Together with the surface it identifies the fact. */
  readonly subject: string;
  readonly surface: string;
  /** JSON pointer into the manifest. */
  readonly pointer: string;
  readonly value: unknown;
  /** `offer`: callers rely on it, so it must stay. `demand`: it requires something of them. `value`: it must not change. */
  readonly kind: "offer" | "demand" | "value";
  /** The subject of the command or route that it belongs to. The fact counts only if both sides have that owner. */
  readonly owner?: string;
  /** The fact is reported only if its change is breaking. */
  readonly isQuiet?: boolean;
}

export const EVERYWHERE = "every surface";

/** The facts of a contract. `routes`: the addresses of routes that are reported in full. */
export async function factsOf(contract: Contract, routes: readonly string[]): Promise<readonly Fact[]> {
  const { manifest } = contract;
  const { commands = {}, permissions = {}, requires = {}, errors = {} } = manifest;
  const facts: Fact[] = [];
  for (const [name, command] of Object.entries(commands)) {
    const form = inputForm(await contract.document(command.input), command.positional);
    facts.push(...commandFacts(name, command, form, manifest));
  }
  for (const [name, route] of Object.entries(manifest.routes ?? {}))
    facts.push(...addressesOf(route).flatMap((address) => routeFacts(name, route, address, routes)));
  const every = (
    kind: Fact["kind"],
    noun: string,
    pointer: string,
    names: readonly string[] = [],
    surface = EVERYWHERE,
  ) => names.map((name): Fact => ({ kind, surface, pointer, subject: `The ${noun} ${name}`, value: name }));
  const declared = new Set(Object.values(commands).flatMap((command) => command.errors ?? []));
  for (const [code, { exit, http }] of Object.entries(errors)) {
    const fact = { kind: "value", isQuiet: true } as const;
    const pointer = pointerOf("errors", code);
    facts.push({
      ...fact,
      surface: "http",
      pointer: `${pointer}/http`,
      subject: `The HTTP status of ${code}`,
      value: http,
    });
    if (!declared.has(code))
      facts.push({
        ...fact,
        surface: "cli",
        pointer: `${pointer}/exit`,
        subject: `The exit status of ${code}`,
        value: exit,
      });
  }
  const standard = Object.keys(commands).find((name) => commands[name]?.default);
  return [
    ...facts,
    ...(standard === undefined
      ? []
      : [
          {
            kind: "offer",
            surface: "cli",
            pointer: pointerOf("commands", standard, "default"),
            subject: "The default command",
            value: standard,
          } as const,
        ]),
    ...every("demand", "permission for the host", "/permissions/hosts", permissions.hosts),
    ...every("demand", "permission for the path", "/permissions/paths", permissions.paths),
    ...every("demand", "permission for the variable", "/permissions/environment", permissions.environment),
    ...every(
      "demand",
      "required port",
      "/requires",
      Object.keys(requires).filter((port) => requires[port] === "required"),
    ),
    ...every("offer", "lent port", "/provides", manifest.provides, "host"),
    ...every("offer", "prompt", "/prompts", Object.keys(manifest.prompts ?? {}), "mcp"),
  ];
}

function commandFacts(
  name: string,
  command: Command,
  form: ReturnType<typeof inputForm>,
  { errors = {} }: SkillManifest,
): readonly Fact[] {
  const at = pointerOf("commands", name);
  const owner = `The command ${name}`;
  const { mcp = {}, paths = [], withheld = {}, exitStatus = {}, effects } = command;
  const codes = command.errors ?? [];
  const offered = surfacesOf(command);
  const fact = (
    kind: Fact["kind"],
    surfaces: readonly string[],
    key: string,
    subject: string,
    value: unknown,
    isQuiet = false,
  ) =>
    offered
      .filter((surface) => surfaces.includes(surface))
      .map((surface): Fact => ({ kind, surface, pointer: at + key, subject, value, owner, isQuiet }));
  const promises = {
    "changes nothing": effects?.readOnly === true,
    "removes nothing": effects !== undefined && effects.destructive !== true,
    "changes nothing further when repeated": effects?.idempotent === true,
    "calls no other service": effects !== undefined && effects.openWorld !== true,
  };
  const statuses = [...new Set([...codes, ...Object.keys(exitStatus)])];
  const exitOf = (code: string): unknown =>
    exitStatus[code] ?? exitStatus["other"] ?? errors[code]?.exit ?? "that of the table";
  return [
    ...offered.map((surface): Fact => ({ kind: "offer", surface, pointer: at, subject: owner, value: name })),
    ...fact(
      "value",
      offered,
      "/keepsRunning",
      `The lifetime of ${name}`,
      command.keepsRunning ? "until it is stopped" : "until its work is done",
    ),
    ...fact(
      "offer",
      ["mcp"],
      "/mcp",
      `The role of ${name} in MCP`,
      [mcp.as ?? "tool", mcp.name, mcp.uri].filter(Boolean).join(" "),
    ),
    ...(mcp.task === "required"
      ? fact("demand", ["mcp"], "/mcp/task", `The requirement that clients of ${name} support tasks`, true)
      : []),
    ...Object.entries(promises).flatMap(([promise, holds]) =>
      holds ? fact("offer", offered, "/effects", `The declaration that ${name} ${promise}`, true) : [],
    ),
    ...paths.flatMap((path) =>
      fact("demand", ["http"], "/paths", `The restriction of ${path} of ${name} to the served project`, path),
    ),
    ...Object.entries(withheld).flatMap(([surface, properties]) =>
      properties.flatMap((property) =>
        fact(
          "demand",
          [surface],
          pointerOf("withheld", surface),
          `The refusal of the property ${property} by ${name}`,
          property,
        ),
      ),
    ),
    ...codes.flatMap((code) => fact("demand", offered, "/errors", `The error code ${code} of ${name}`, code)),
    ...[...statuses, "any other code"].flatMap((code) =>
      fact("value", ["cli"], "/exitStatus", `The exit status of ${name} for ${code}`, exitOf(code), true),
    ),
    ...form.fields.flatMap((field) => {
      const place = pointerOf("input", field.name);
      if (field.flag === undefined) return [];
      const form = field.isSwitch ? "without a value" : "with a value";
      return [
        ...fact("offer", ["cli"], place, `The flag --${field.flag} of ${name}`, form, true),
        ...(field.negatable
          ? fact("offer", ["cli"], place, `The flag --no-${field.flag} of ${name}`, form, true)
          : []),
      ];
    }),
  ];
}

/** Method and path of a route, by its path and its aliases. */
export function addressesOf({ method, path, aliases = [] }: Route): readonly string[] {
  return [path, ...aliases].map((place) => `${method} ${place}`);
}

function routeFacts(name: string, route: Route, address: string, told: readonly string[]): readonly Fact[] {
  const at = pointerOf("routes", name);
  const owner = `The route ${address}`;
  const { keyless, collects, raw, replies, errors = [] } = route;
  const own = { kind: "offer", surface: "http", pointer: at, subject: owner, value: address } as const;
  if (!told.includes(address)) return [own];
  const fact = (kind: Fact["kind"], key: string, what: string, value: unknown = true): Fact => ({
    kind,
    surface: "http",
    pointer: at + key,
    subject: `The ${what} of ${address}`,
    value,
    owner,
  });
  return [
    own,
    ...(keyless ? [fact("offer", "/keyless", "access without a key")] : []),
    ...(collects ? [fact("offer", "/collects", "access for pages and the collecting key")] : []),
    ...(raw ? [fact("offer", "/raw", "acceptance of any body")] : []),
    ...Object.keys(replies).map((status) =>
      fact("demand", pointerOf("replies", status), `reply ${status}`, status),
    ),
    ...errors.map((code) => fact("demand", "/errors", `error code ${code}`, code)),
  ];
}
