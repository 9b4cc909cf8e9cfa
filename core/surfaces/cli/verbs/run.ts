import { resolve } from "node:path";
import type { Catalog, CommandEntry } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import type { Command } from "../../../contract.ts";
import { SkillError, asSkillError, describedIn } from "../../../errors/skill-error.ts";
import { nearest } from "../../../nearest.ts";
import { INSTRUCTIONS, isObject } from "../../../schema/json.ts";
import type { HostedSkill } from "../../../skill.ts";
import type { JsonSchema } from "../../../schema/schemas.ts";
import { showFailure, waitsForever } from "../failure.ts";
import { inputForm, label, type InputForm } from "../form.ts";
import { commandHelp, skillHelp } from "../help.ts";
import { INTERRUPTED } from "../terminal.ts";
import { parseInput } from "../parse.ts";
import { CommandPerson } from "../person.ts";
import { brokenInstructions, fittingError, jsonResult, jsonText, onTerminal } from "../text.ts";
import { withPath } from "../served.ts";
import type { Verb, Invocation } from "../verb.ts";
import { faultLine } from "./list.ts";

const HELP = `Runs a command of a skill.

Usage: skillctl run SKILL [COMMAND] [ARGS...]

Without COMMAND the skill's default command runs. To show the arguments:
  skillctl run SKILL --help
  skillctl run SKILL COMMAND --help

Put text that starts with a dash after --, and such a value of a flag after =.
--input JSON gives the whole input as one document; --input - reads it from
standard input. A flag that takes a list of objects reads a JSON array from
standard input too (-), or from a file.
`;

const A_DAY_MS = 86_400_000;
/** The limit for --input -, in bytes. */
const MAX_INPUT_BYTES = 64 * 1024 * 1024;

export const verb: Verb = { help: HELP, run, helpFor };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const { skill, rest } = skillOf(words);
  const host = await invocation.host();
  tellFaults(host.catalog, skill, invocation);
  const { entry, words: own } = await chooseCommand(host, skill, rest).catch((caught) => {
    throw withPath(caught, [skill], invocation, (path) => `skillctl run ${skill} --plugin ${path}`);
  });
  try {
    return await runCommand(host, entry, own, invocation);
  } catch (caught) {
    return fail(caught, host, entry, own, invocation);
  }
}

/** Reports skills that were left out: those of the same name, or all of them if no hosted skill has the name. */
function tellFaults({ skills, faults }: Catalog, skill: string, { terminal }: Invocation): void {
  const isHosted = skills.some(({ manifest }) => manifest.name === skill);
  const told = faults.filter((fault) => (fault.skill === skill) === isHosted);
  if (told.length > 0) terminal.err(fittingError(told.map(faultLine).join(""), terminal));
}

async function runCommand(
  host: Host,
  entry: CommandEntry,
  given: readonly string[],
  invocation: Invocation,
): Promise<number> {
  const { terminal, options } = invocation;
  const { command } = entry;
  const drawn = await isDrawn(host, command);
  const words = drawn ? withoutRaw(given) : given;
  // A faulty schema is reported as such, and not as a mistake in the words.
  await host.schemas.check(command.input);
  const form = inputForm(await host.schemas.document(command.input), command.positional);
  const person = new CommandPerson(terminal, options.progress);
  const input = await parseInput(form, words, {
    readInput: () => person.input(MAX_INPUT_BYTES),
    readFile: (path) => host.ports.files.readText(resolve(invocation.workingFolder, path)),
  });
  const { signal } = terminal;
  invocation.running.current = `${entry.skill} ${entry.name}`;
  try {
    const output = await settled(
      host.run({
        surface: "cli",
        skill: entry.skill,
        command: entry.name,
        input,
        signal,
        progress: person.tell,
        // Under --json standard output is one document: the result.
        announce: (text) =>
          (options.json ? terminal.err : terminal.out)(text.endsWith("\n") ? text : `${text}\n`),
        person,
      }),
      entry,
    );
    person.stopProgress();
    terminal.out(options.json ? jsonResult(output) : await shown(host, entry, output, given, invocation));
    return signal.aborted && !command.keepsRunning ? INTERRUPTED : 0;
  } catch (caught) {
    throw asTyped(caught, form);
  } finally {
    person.stopProgress();
    delete invocation.running.current;
  }
}

/** Formats an output. At a terminal, without --raw, Markdown is formatted and instructions are wrapped; a pipe gets the bytes. */
async function shown(
  host: Host,
  { command }: CommandEntry,
  output: unknown,
  words: readonly string[],
  { terminal, variables }: Invocation,
): Promise<string> {
  const { showsOut = false, columns } = terminal;
  const text = onTerminal(outputText(command, output), showsOut);
  if (!showsOut) return text;
  if ((await displayed(host, command))["format"] === INSTRUCTIONS) return brokenInstructions(text, columns);
  const drawn = (await isDrawn(host, command)) && withoutRaw(words).length === words.length;
  if (!drawn) return text;
  const { onScreen } = await import("../markdown-screen.ts");
  return onScreen(text, columns, !variables["NO_COLOR"] && variables["TERM"] !== "dumb");
}

/** Whether the schema of the output says that the property named by `display` is Markdown. */
async function isDrawn(host: Host, command: Command): Promise<boolean> {
  return (await displayed(host, command))["contentMediaType"] === "text/markdown";
}

/** The schema of the property named by `display`; without one, empty. */
async function displayed({ schemas }: Host, { display, output }: Command): Promise<JsonSchema> {
  const { properties = {} } = await schemas.document(output);
  const shown = display === undefined ? undefined : (properties as JsonSchema)[display];
  return isObject(shown) ? shown : {};
}

function withoutRaw(words: readonly string[]): readonly string[] {
  const end = words.indexOf("--");
  const own = end === -1 ? words : words.slice(0, end);
  return [...own.filter((word) => word !== "--raw"), ...words.slice(own.length)];
}

/** Reports a pending promise that no event can settle. Otherwise the process would end without a message. */
async function settled<T>(result: Promise<T>, { skill, name, command }: CommandEntry): Promise<T> {
  let stuck = (): void => undefined;
  const never = new Promise<never>((_, reject) => {
    stuck = () =>
      void import("../../../adapters/attribution.ts").then(({ pendingCode }) =>
        reject(waitsForever(`${skill} ${name}`, pendingCode())),
      );
  });
  process.once("beforeExit", stuck);
  const awake = command.keepsRunning ? setInterval(() => undefined, A_DAY_MS) : undefined;
  try {
    return await Promise.race([result, never]);
  } finally {
    clearInterval(awake);
    process.removeListener("beforeExit", stuck);
  }
}

/** An error about the input, with the property as it is typed. */
function asTyped(caught: unknown, form: InputForm): unknown {
  if (!(caught instanceof SkillError) || caught.code !== "INPUT_INVALID" || !caught.pointer) return caught;
  const { pointer, hint, cause, message } = caught;
  const field = form.fields.find(({ name }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`));
  if (!field || !message.startsWith(pointer)) return caught;
  const place = `${label(field, form)}${pointer.slice(field.name.length + 1)}`;
  const sentence = `${place}${message.slice(pointer.length)}`;
  return new SkillError("INPUT_INVALID", sentence, { pointer, cause, hint });
}

/** Adds command, file and line to an unexpected error of a third-party skill. */
function namedError(
  caught: unknown,
  { manifest, folder, builtin }: HostedSkill,
  command: string,
): SkillError {
  if (builtin || caught instanceof SkillError) return asSkillError(caught);
  const sentence = `${manifest.name} ${command} failed: ${describedIn(folder, caught)}`;
  return new SkillError("INTERNAL", sentence, { cause: caught, hint: asSkillError(caught).hint });
}

async function fail(
  caught: unknown,
  host: Host,
  entry: CommandEntry,
  words: readonly string[],
  invocation: Invocation,
): Promise<number> {
  const { terminal, options } = invocation;
  const { command, skill } = entry;
  const interrupted = terminal.signal.aborted;
  const foreseen = caught instanceof SkillError;
  const error =
    interrupted && !foreseen
      ? new SkillError("CANCELLED", "The command was cancelled.", { cause: caught })
      : namedError(caught, host.catalog.skill(skill), entry.name);
  if (error.result !== undefined && !options.json)
    terminal.out(await shown(host, entry, error.result, words, invocation));
  const { exitStatus = {} } = command;
  const see = `skillctl run ${skill} ${entry.name} --help`;
  const exitOf = (code: string): number =>
    interrupted
      ? INTERRUPTED
      : (exitStatus[code] ?? exitStatus["other"] ?? host.catalog.codeEntry(code, skill).exit);
  const { json, verbose, named } = options;
  return showFailure(error, terminal, { json, verbose, exitOf, see, named });
}

async function helpFor(words: readonly string[], invocation: Invocation): Promise<string> {
  const { skill, rest } = skillOf(words);
  const host = await invocation.host();
  const { catalog, schemas } = host;
  const { columns } = invocation.terminal;
  if (rest.length === 0) {
    return skillHelp(catalog.skill(skill).manifest, commandsOf(catalog, skill), columns);
  }
  const { entry } = await chooseCommand(host, skill, rest);
  const { command } = entry;
  // A faulty schema is reported as such.
  await schemas.check(command.input);
  const input = await schemas.document(command.input);
  const drawn = await isDrawn(host, command);
  return commandHelp(entry, { input, drawn, columns, codeEntry: (code) => catalog.codeEntry(code, skill) });
}

function skillOf(words: readonly string[]): { readonly skill: string; readonly rest: readonly string[] } {
  const [skill, ...rest] = words;
  if (skill !== undefined && !skill.startsWith("-")) return { skill, rest };
  throw new SkillError(
    "USAGE",
    skill === undefined ? "No skill is named." : "The skill comes before its flags.",
    {
      hint: "skillctl run SKILL [COMMAND] [ARGS...]; `skillctl list` shows the skills.",
    },
  );
}

/** A command and its words. */
interface CommandWords {
  readonly entry: CommandEntry;
  readonly words: readonly string[];
}

const NAME_LIKE = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

/**
 * Chooses a command by the words after the name of its skill: the one that the first word names, otherwise the default.
 * @throws SkillError `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`, also if the first word looks like a mistyped command.
 */
async function chooseCommand(
  { catalog, schemas }: Host,
  skill: string,
  words: readonly string[],
): Promise<CommandWords> {
  const { commands = {} } = catalog.skill(skill).manifest;
  const [first, ...rest] = words;
  if (first !== undefined && Object.hasOwn(commands, first))
    return { entry: catalog.command(skill, first), words: rest };
  const preset = Object.keys(commands).find((name) => commands[name]?.default);
  const takesWords = preset !== undefined && (commands[preset]?.positional ?? []).length > 0;
  if (first === undefined || first.startsWith("-") || (takesWords && !NAME_LIKE.test(first))) {
    return { entry: defaultOf(catalog, skill, preset), words };
  }
  const guess = nearest(first, Object.keys(commands));
  if (!takesWords && guess !== undefined) return { entry: catalog.command(skill, first), words: rest };
  // The word is not repeated, since it may be a pasted token.
  if (!takesWords)
    throw new SkillError("UNKNOWN_COMMAND", `${skill} has no command of that name.`, {
      hint: `Its commands: ${namesOf(catalog, skill).join(", ") || "none"}.`,
    });
  const entry = catalog.command(skill, preset);
  if (guess === undefined) return { entry, words };
  const { properties } = await schemas.document(entry.command.input);
  const [positional = ""] = entry.command.positional ?? [];
  const isText = Object(Object(properties)[positional]).type === "string";
  const asText = words.map((word) => (NAME_LIKE.test(word) ? word : JSON.stringify(word))).join(" ");
  throw new SkillError("UNKNOWN_COMMAND", `${skill} has no command "${first}".`, {
    hint: `Did you mean ${guess}?${isText ? ` To pass it as text: skillctl run ${skill} ${preset} ${asText}` : ""}`,
  });
}

function defaultOf(catalog: Catalog, skill: string, preset: string | undefined): CommandEntry {
  if (preset !== undefined) return catalog.command(skill, preset);
  const names = namesOf(catalog, skill);
  const isDocument = catalog.skill(skill).document !== undefined;
  const none = isDocument
    ? `\`skillctl prompt ${skill}\` prints its instructions.`
    : "It has rules or routes only.";
  const hint = names.length > 0 ? `Name one of its commands: ${names.join(", ")}.` : none;
  throw new SkillError("UNKNOWN_COMMAND", `${skill} has no default command.`, { hint });
}

function commandsOf(catalog: Catalog, skill: string): readonly CommandEntry[] {
  return catalog.commands("cli").filter((entry) => entry.skill === skill);
}

function namesOf(catalog: Catalog, skill: string): readonly string[] {
  return commandsOf(catalog, skill).map(({ name }) => name);
}

/**
 * Formats an output for a person: the property named by `display`, unchanged, with a final line feed added if it has none;
 * otherwise the whole output as JSON.
 */
export function outputText(command: Pick<Command, "display">, output: unknown): string {
  const { display } = command;
  const shown = display !== undefined && isObject(output) ? output[display] : undefined;
  if (typeof shown !== "string") return jsonText(output, 2);
  return shown.endsWith("\n") ? shown : `${shown}\n`;
}
