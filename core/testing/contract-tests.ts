import { describe, test } from "node:test";
import { SkillError, described } from "../errors/skill-error.ts";
import type { SurfaceName } from "../plugin.ts";
import type { JsonSchema, Schemas } from "../schema/schemas.ts";
import { secretNames, secretVariable } from "../secrets.ts";
import type { HostedSkill, SkillFault } from "../skill.ts";
import { commandCases } from "./cases/command-cases.ts";
import type { CaseTools, ContractCase, SkillCase, TestedServer } from "./cases/contract-case.ts";
import { manifestCases } from "./cases/manifest-cases.ts";
import { routeCases } from "./cases/route-cases.ts";
import { ruleCases } from "./cases/rule-cases.ts";
import { schemaCases } from "./cases/schema-cases.ts";
import { sequenceCases } from "./cases/sequence-cases.ts";
import { serverCases } from "./cases/server-cases.ts";
import { surfaceCases, type SurfaceCall } from "./cases/surface-cases.ts";
import { Coverage } from "./coverage.ts";
import { DEFAULT_SEED } from "./derive.ts";
import { sample } from "./derive/sample.ts";
import { createTestHost, type TestHost, type TestHostOptions } from "./test-host.ts";

export type { ContractCase } from "./cases/contract-case.ts";

/** The kinds of cases, in execution order. */
export type CaseKind = "schemas" | "manifests" | "commands" | "routes" | "rules";

/** Options for contract tests. */
export interface ContractTestOptions {
  /**
   * Built-in skills. All skills of `skills` and `plugins` are hosted together, so that one can lend ports to another.
   */
  readonly skills?: readonly HostedSkill[];
  /** Folders of other skills. */
  readonly plugins?: readonly string[];
  /** Names of the skills to test. Default: all. */
  readonly only?: readonly string[];
  /** Default: every kind. */
  readonly kinds?: readonly CaseKind[];
  /** Settings by skill, as under `config` in `skillctl.json`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Environment variables. Default: for each secret setting the first of its `examples`, or a made-up text that fits its schema. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Replacements for ports, such as a network that answers from a script. */
  readonly ports?: TestHostOptions["ports"];
  /**
   * Prepares the resources of the examples, such as files in the working folder. Called for each new host. The function
   * that it returns, if any, is called before that host is closed.
   */
  readonly prepare?: (test: TestHost) => Promise<void | (() => Promise<unknown>)>;
  /** The seed of random combinations of derived values. Default: 1. */
  readonly seed?: number;
  /** Further surfaces over which the commands are called. @internal */
  readonly calls?: Readonly<Partial<Record<SurfaceName, SurfaceCall>>>;
  /** A running server: its commands and routes are called instead, and nothing else is tested. @internal */
  readonly server?: TestedServer;
  /** Collects the exercised parts of contracts. @internal */
  readonly coverage?: Coverage;
}

const MAKERS: Readonly<
  Record<CaseKind, (tools: CaseTools) => Promise<readonly SkillCase[]> | readonly SkillCase[]>
> = {
  schemas: schemaCases,
  manifests: manifestCases,
  commands: commandCases,
  routes: routeCases,
  rules: ruleCases,
};

/**
 * Returns the cases that follow from the manifests and schemas of skills. A skill that cannot be hosted is one failing case.
 * @throws SkillError `UNKNOWN_SKILL` for a name in `only` that no skill has.
 */
export async function contractCases(options: ContractTestOptions): Promise<readonly ContractCase[]> {
  const { skills = [], plugins = [], config = {} } = options;
  await using probe = await createTestHost({ skills, plugins });
  const { catalog, schemas } = probe.host;
  const secrets = await madeUpSecrets(catalog.skills, schemas);
  const open: CaseTools["open"] = async () => {
    // The first host has read and validated the manifests.
    const test = await createTestHost({
      skills: catalog.skills,
      config,
      variables: { ...secrets, ...options.variables },
      ...(options.ports && { ports: options.ports }),
    });
    const end = await options.prepare?.(test);
    const close = async (): Promise<void> => {
      await end?.();
      await test.close();
      const { isUnhandledReport } = await import("../adapters/attribution.ts");
      const unhandled = test.log.notices.filter(isUnhandledReport);
      if (unhandled.length > 0) throw new Error([...new Set(unhandled)].join("\n"));
    };
    return { ...test, close, [Symbol.asyncDispose]: close };
  };
  const { only } = options;
  const faults = catalog.faults.filter(({ skill }) => only?.includes(skill) ?? true);
  const sound = only?.filter((name) => !faults.some(({ skill }) => skill === name));
  const chosen = sound?.map((name) => catalog.skill(name)) ?? catalog.skills;
  const kinds = options.kinds ?? (Object.keys(MAKERS) as CaseKind[]);
  const cases: ContractCase[] = faults.map(unhosted);
  for (const skill of chosen) {
    const { seed = DEFAULT_SEED, coverage = new Coverage(), calls = {}, server } = options;
    const tools: CaseTools = { skill, schemas, open, seed, coverage };
    const made: SkillCase[] = [];
    if (server) made.push(...(await serverCases(tools, server)));
    else {
      for (const kind of kinds) made.push(...(await MAKERS[kind](tools)));
      if (kinds.includes("commands")) made.push(...sequenceCases(tools, calls));
      made.push(...(await surfaceCases(tools, calls)));
    }
    cases.push(...made.map((one) => ({ skill: skill.manifest.name, ...one, run: toldWhole(one.run) })));
  }
  return cases;
}

/**
 * Registers the contract tests of skills with `node:test`, one suite for each skill. Await it at the top level of a test file. A
 * string is the folder of one skill.
 */
export async function contractTests(options: ContractTestOptions | string): Promise<void> {
  const cases = await contractCases(typeof options === "string" ? { plugins: [options] } : options);
  for (const skill of new Set(cases.map((one) => one.skill))) {
    describe(`skill ${skill}`, () => {
      for (const one of cases) {
        if (one.skill !== skill) continue;
        test(one.title, { skip: one.skip ?? false }, async (t) => {
          const reason = await one.run((sentence) => t.diagnostic(`warning: ${sentence}`));
          if (reason !== undefined) t.skip(reason);
        });
      }
    });
  }
}

/** Values of the variables of secret settings. */
async function madeUpSecrets(
  skills: readonly HostedSkill[],
  schemas: Schemas,
): Promise<Readonly<Record<string, string>>> {
  const made: Record<string, string> = {};
  for (const { manifest } of skills) {
    if (manifest.config === undefined) continue;
    // A broken schema is a separate case.
    const document = await schemas.document(manifest.config).catch((): JsonSchema => ({}));
    for (const name of secretNames(document)) {
      const example: unknown = Object(sample(document, document))[name];
      const value = example ?? sample(Object(document["properties"])[name], document);
      if (typeof value === "string") made[secretVariable(manifest.name, name)] = value;
    }
  }
  return made;
}

/** A case that fails twice, itself and when its host is closed, reports both reasons: `await using` shows neither. */
function toldWhole(run: SkillCase["run"]): SkillCase["run"] {
  return async (warn) => {
    try {
      return await run(warn);
    } catch (caught) {
      const { suppressed, error }: { readonly suppressed?: unknown; readonly error?: unknown } =
        Object(caught);
      if (suppressed === undefined) throw caught;
      throw new Error(`${described(suppressed)}\n${described(error)}`, { cause: caught });
    }
  };
}

function unhosted({ skill, code, file, pointer, sentence }: SkillFault): ContractCase {
  return {
    skill,
    title: "the skill can be hosted",
    run: () => Promise.reject(new SkillError(code, `${file}#${pointer}: ${sentence}`, { file, pointer })),
  };
}
