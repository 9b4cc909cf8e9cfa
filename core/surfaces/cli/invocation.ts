import { delimiter, join, resolve, sep } from "node:path";
import type { Host } from "../../composition.ts";
import {
  DOCUMENT_FOLDERS,
  configurationFile,
  isThere,
  userFolder,
} from "../../adapters/configuration-files.ts";
import type * as reader from "../../adapters/configuration.ts";
import type { ReadConfiguration } from "../../adapters/configuration.ts";
import { processEnvironment } from "../../adapters/environment.ts";
import type { ForeignSkills } from "../../adapters/foreign-skills.ts";
import { SkillError, described } from "../../errors/skill-error.ts";
import type { OwnRules } from "../../guard.ts";
import type { Environment } from "../../ports/environment.ts";
import type { Check } from "../../schema/schemas.ts";
import type { PendingTrust } from "../../trust/trust.ts";
import type { GlobalWords } from "./words.ts";
import { brokenLines, onTerminal } from "./text.ts";
import type { Terminal, Invocation, Surroundings } from "./verb.ts";
import { quotedName } from "../../quoted-name.ts";

const EMPTY_CONFIGURATION: ReadConfiguration = { plugins: [], config: {} };

/** Closes the host. Returns 0, or the exit status of a failure, which is reported. */
type Close = () => Promise<number>;

/**
 * Creates the invocation of a verb, and the function that closes it.
 * @throws SkillError `CONFIG_INVALID`, `FILE_UNREADABLE` if skillctl.json is broken and the verb is not lenient.
 */
export async function openInvocation(
  globals: GlobalWords,
  terminal: Terminal,
  surroundings: Surroundings,
  entry: { readonly lenient?: true; readonly documents?: true },
): Promise<{ readonly invocation: Invocation; readonly close: Close }> {
  const { variables, workingFolder } = surroundings;
  const lenient = entry.lenient === true;
  const named = given(globals, surroundings);
  const { home, stateFolder } = processEnvironment(variables, workingFolder);
  const project = await configured(configurationFile(workingFolder), stateFolder, lenient, named);
  // Skills that the person has installed for every folder, and nothing else.
  const own = userFolder(stateFolder);
  const user = await configured(configurationFile(own), stateFolder, lenient, named, own);
  const { configuration } = project;
  const fault = project.fault ?? user.fault;
  const waiting = project.waiting ?? user.waiting;
  const plugins = [...new Set([...named, ...configuration.plugins, ...user.configuration.plugins])];
  // Folders that the person names need no trust.
  const isNamed = (folder: string): boolean =>
    named.some((path) => folder === path || folder.startsWith(`${path}${sep}`));
  let opened: Promise<Host> | undefined;
  let read: Promise<OwnFiles> | undefined;
  const files = (): Promise<OwnFiles> => (read ??= ownFiles(configuration.rules, surroundings));
  const ownRules = async (): Promise<OwnRules> => (await files()).rules;
  const environmentOf = async (): Promise<Environment> => {
    const state = variables["SKILLCTL_STATE"] || (await files()).state;
    return processEnvironment({ ...variables, SKILLCTL_STATE: state }, workingFolder);
  };
  let foundDocuments: Promise<ForeignSkills> | undefined;
  const documents = (): Promise<ForeignSkills> =>
    (foundDocuments ??= entry.documents
      ? documentsAt(workingFolder, home, stateFolder)
      : Promise.resolve(NO_SKILLS));
  const host = async (): Promise<Host> => {
    const environment = await environmentOf();
    const [{ createHost }, { stderrLog }, { nodePrograms }] = await Promise.all([
      import("../../host.ts"),
      import("../../adapters/log.ts"),
      import("../../adapters/programs.ts"),
    ]);
    const { config } = configuration;
    const { rules, config: ownConfig } = await files();
    const ports = {
      log: stderrLog(globals.verbose, (line) => {
        const { errorColumns } = terminal;
        // A terminal would break a long line inside a word. Coloured drawings keep their width.
        const isDrawn = errorColumns === undefined || line.includes("\u001b");
        const shown = isDrawn ? line : brokenLines(line, errorColumns);
        terminal.err(onTerminal(shown, errorColumns !== undefined, true));
      }),
      environment,
      programs: nodePrograms(environment, surroundings.ownProgram),
    };
    // Output of third-party code must not mix with a result or with an answer to an agent.
    if (plugins.length > 0) terminal.divertPrints?.();
    return createHost({
      skills: await surroundings.builtin(),
      plugins,
      toleratesMissing: true,
      beforeLoad: (folder) => {
        if (isNamed(folder)) return;
        project.beforeLoad?.();
        user.beforeLoad?.();
      },
      documents: await documents(),
      ...(surroundings.keyRing && {
        readSecret: (await import("../../key-ring.ts")).secretReader(surroundings.keyRing),
      }),
      config,
      ownConfig,
      rules,
      ports,
    });
  };
  const { json, verbose, progress } = globals;
  const invocation: Invocation = {
    ...surroundings,
    terminal,
    options: { json, verbose, progress, plugins, named: globals.plugins, namedPaths: named },
    ...(fault && { configurationFault: fault, tighteningRules: configuration.rules }),
    ...(configuration.skills && { skills: configuration.skills }),
    ...(waiting && { waiting }),
    running: {},
    documents,
    environment: environmentOf,
    host: () => (opened ??= host()),
    rules: ownRules,
  };
  return { invocation, close: () => closed(opened, terminal, verbose) };
}

const NO_SKILLS: ForeignSkills = { skills: [], faults: [] };

/** The plain SKILL.md folders of a project and of the person. Most have none, and then their reader is not loaded. */
async function documentsAt(project: string, home: string, stateFolder: string): Promise<ForeignSkills> {
  const folders = [project, home].flatMap((base) => DOCUMENT_FOLDERS.map((name) => join(base, name)));
  if (!folders.some(isThere)) return NO_SKILLS;
  const { documentSkills } = await import("../../documents/document-skills.ts");
  return documentSkills(project, home, stateFolder);
}

function given(globals: GlobalWords, { variables, workingFolder }: Surroundings): readonly string[] {
  const named = (variables["SKILLCTL_PLUGINS"] ?? "").split(delimiter).filter((path) => path !== "");
  return [...globals.plugins, ...named].map((path) => resolve(workingFolder, path));
}

/** The usable part of skillctl.json, and the reason why the rest is not used. */
interface LoadedConfiguration {
  readonly configuration: ReadConfiguration;
  readonly fault?: SkillError;
  readonly waiting?: PendingTrust;
  readonly beforeLoad?: () => void;
}

async function configured(
  file: string | undefined,
  stateFolder: string,
  lenient: boolean,
  named: readonly string[],
  own?: string,
): Promise<LoadedConfiguration> {
  if (file === undefined) return { configuration: EMPTY_CONFIGURATION };
  const accept = own === undefined ? undefined : `skillctl trust ${quotedName(own)}`;
  const { check, readConfiguration, tighteningRules } = await configurationReader();
  try {
    const read = readConfiguration(file, check);
    const { assess, stillTrusted } = await import("../../trust/trust.ts");
    const found = assess(file, read, stateFolder, named, accept);
    if (found.configuration.plugins.length === 0) return found;
    // A server may load code long after its start.
    return { ...found, beforeLoad: () => stillTrusted(file, read, stateFolder) };
  } catch (caught) {
    if (!lenient || !(caught instanceof SkillError)) throw caught;
    const rules = tighteningRules(file, check);
    return { configuration: { ...EMPTY_CONFIGURATION, rules }, fault: caught };
  }
}

/** The rules of all configuration files, and the settings of the person. */
interface OwnFiles {
  readonly rules: OwnRules;
  /** The person's settings, by skill. */
  readonly config: Readonly<Record<string, unknown>>;
  /** The address of the database of the person's state. */
  readonly state: string | undefined;
}

async function ownFiles(
  workspace: OwnRules["workspace"],
  { ruleFiles = {} }: Surroundings,
): Promise<OwnFiles> {
  const read = async (file: string | undefined, mayConfigure: boolean): Promise<ReadConfiguration> => {
    if (file === undefined || !isThere(file)) return EMPTY_CONFIGURATION;
    const { check, readConfiguration } = await configurationReader();
    const found = readConfiguration(file, check, mayConfigure);
    const isBare = found.plugins.length === 0 && found.skills === undefined;
    if (isBare && (mayConfigure || Object.keys(found.config).length === 0)) return found;
    const what = mayConfigure ? "`rules`, `config` and `state` and nothing else" : "`rules` and nothing else";
    throw new SkillError("CONFIG_INVALID", `${quotedName(file)} may have ${what}.`, {
      file,
      hint: "Remove the rest; name skill folders with `--plugin`, SKILLCTL_PLUGINS or the skillctl.json of a project.",
    });
  };
  const [user, operator] = [await read(ruleFiles.user, true), await read(ruleFiles.operator, false)];
  return {
    rules: { ...(workspace && { workspace }), user: user.rules ?? {}, operator: operator.rules ?? {} },
    config: user.config,
    state: user.state,
  };
}

type ConfigurationReader = typeof reader & { readonly check: Check };

/** Loads the functions that read a skillctl.json: most folders have none. */
async function configurationReader(): Promise<ConfigurationReader> {
  const [{ coreSchemas }, adapter] = await Promise.all([
    import("./schema-files.ts"),
    import("../../adapters/configuration.ts"),
  ]);
  return { ...adapter, check: await coreSchemas.check("core/configuration") };
}

async function closed(
  opened: Promise<Host> | undefined,
  terminal: Terminal,
  verbose: boolean,
): Promise<number> {
  if (!opened) return 0;
  try {
    await (await opened.catch(() => undefined))?.close();
    return 0;
  } catch (cause) {
    const { showProblem } = await import("./failure.ts");
    const parts = cause instanceof AggregateError ? cause.errors.map(described) : [described(cause)];
    const error = new SkillError("CLOSE_FAILED", `Not everything could be closed: ${parts.join(" ")}`, {
      cause,
    });
    showProblem(error, terminal, verbose);
    return 70;
  }
}
