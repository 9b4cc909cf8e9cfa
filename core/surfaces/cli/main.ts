import { SkillError, coreEntry } from "../../errors/skill-error.ts";
import type { HostedSkill } from "../../skill.ts";
import type { PendingTrust } from "../../trust/trust.ts";
import { openInvocation } from "./invocation.ts";
import { GLOBAL_FLAGS, readGlobals, type GlobalWords } from "./words.ts";
import { fittingError, fittingHelp, jsonResult } from "./text.ts";
import { DRAINED, INTERRUPTED } from "./terminal.ts";
import type { Surroundings, Terminal, Invocation } from "./verb.ts";
import { VERBS, type VerbEntry } from "./verbs.ts";

/**
 * Reads the words, runs the verb and returns the exit status. Throws nothing: faults are shown.
 * The modules that `--version`, `--help` and `list` need are imported statically here, all others on demand.
 */
export async function main(words: readonly string[], surroundings: Surroundings): Promise<number> {
  let globals: GlobalWords | undefined;
  const terminal = surroundings.terminal(!words.includes("--no-progress"));
  try {
    globals = readGlobals(words);
    return await dispatch(globals, terminal, surroundings);
  } catch (caught) {
    const { showFailure } = await import("./failure.ts");
    const verb = globals?.verb ?? words.find((word) => !word.startsWith("-")) ?? "";
    const failing = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
    return showFailure(caught, terminal, {
      json: globals?.json ?? words.includes("--json"),
      verbose: globals?.verbose ?? words.includes("--verbose"),
      exitOf: (code) => failing?.failsWith ?? coreEntry(code).exit,
      see: failing ? `skillctl ${verb} --help` : "skillctl --help",
      named: globals?.plugins ?? [],
    });
  }
}

async function dispatch(
  globals: GlobalWords,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  if (globals.version) {
    const { version } = surroundings;
    terminal.out(globals.json ? jsonResult({ version }) : `${version}\n`);
    return 0;
  }
  const asksHelp = globals.verb === "help";
  const name = asksHelp ? globals.words[0] : globals.verb;
  const rest = asksHelp ? globals.words.slice(1) : globals.words;
  if (name === undefined) {
    if (rest.length > 0) throw await unreadable(rest[0] as string);
    return showHelp(programHelp(surroundings.version), globals, terminal);
  }
  const entry = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  if (!entry) throw await unreadable(name, await surroundings.builtin());
  return runVerb(entry, { ...globals, words: rest, help: globals.help || asksHelp }, terminal, surroundings);
}

function showHelp(help: string, { json }: GlobalWords, terminal: Terminal): number {
  terminal.out(json ? jsonResult({ help }) : fittingHelp(help, terminal.columns));
  return 0;
}

async function runVerb(
  entry: VerbEntry,
  globals: GlobalWords,
  terminal: Terminal,
  surroundings: Surroundings,
): Promise<number> {
  const { verb } = await entry.load();
  if (globals.help && (globals.words.length === 0 || !verb.helpFor))
    return showHelp(verb.help, globals, terminal);
  if (surroundings.workingFolder === "")
    throw new SkillError("FILE_UNREADABLE", "The working folder has been removed.", {
      hint: "Change to a folder that exists, for example with `cd ~`.",
    });
  const { invocation, close } = await openInvocation(globals, terminal, surroundings, entry);
  if (invocation.waiting && !entry.tellsTrust) {
    const { waitingLine } = await import("../../trust/trust.ts");
    terminal.err(fittingError(waitingLine(invocation.waiting), terminal));
  }
  const takeBack = await onEarlyEnd(entry, invocation);
  try {
    let status = 0;
    if (globals.help && verb.helpFor)
      status = showHelp(await verb.helpFor(globals.words, invocation), globals, terminal);
    else status = await verb.run(globals.words, invocation);
    return (await close()) || status;
  } catch (caught) {
    await close();
    throw invocation.waiting ? asWaiting(caught, invocation.waiting) : caught;
  } finally {
    takeBack();
  }
}

/** An unknown skill may be an untrusted one. */
function asWaiting(caught: unknown, { plugins, accept, uninstalled, install }: PendingTrust): unknown {
  if (!(caught instanceof SkillError) || caught.code !== "UNKNOWN_SKILL" || plugins.length === 0)
    return caught;
  const hint =
    uninstalled > 0
      ? `\`${install}\` installs what skillctl-lock.json lists.`
      : `The skills of skillctl.json are not trusted yet. \`skillctl trust --list\` names them, \`${accept}\` accepts them.`;
  return new SkillError(caught.code, caught.message, { cause: caught, hint });
}

/**
 * Reports a third-party skill that ends the process or throws outside of its calls. Not for a verb with its own status for
 * failures.
 */
async function onEarlyEnd(
  { failsWith, runsFolders }: VerbEntry,
  { terminal, options, running }: Invocation,
): Promise<() => void> {
  const runsForeign = options.plugins.length > 0 || runsFolders === true;
  if (!runsForeign || failsWith !== undefined || !terminal.lastWord) return () => undefined;
  const { showFailure, waitsForever } = await import("./failure.ts");
  const { isAttributed, lateReport, pendingCode, runningSkill } =
    await import("../../adapters/attribution.ts");
  return terminal.lastWord((reason, cause) => {
    if (cause !== undefined && isAttributed(cause)) return undefined;
    const report = cause === undefined ? undefined : lateReport(cause);
    if (report !== undefined) {
      const { late = [] } = running;
      if (late.some(({ sentence }) => sentence === report.sentence)) return undefined;
      running.late = [...late, report];
      return undefined;
    }
    if (terminal.signal.aborted) return INTERRUPTED;
    const { current } = running;
    const skill = runningSkill();
    // A rule or a borrowed port of another skill may run in the command.
    const isOther = skill !== undefined && current?.includes(skill) === false;
    const waiting = pendingCode();
    const subject = (isOther ? skill : current) ?? skill ?? "A third-party skill";
    const ended =
      reason === DRAINED
        ? waitsForever(
            current ?? waiting?.replace(/^./, (first) => first.toUpperCase()) ?? subject,
            current && waiting,
          )
        : new SkillError("INTERNAL", `${subject} ended the process before the command finished.`, {
            hint: "The code of a skill must not call process.exit.",
          });
    const { json, verbose, named } = options;
    const exitOf = (code: string): number => coreEntry(code).exit;
    return showFailure(cause ?? ended, terminal, { json, verbose, exitOf, see: "skillctl --help", named });
  });
}

async function unreadable(word: string, builtin: readonly HostedSkill[] = []): Promise<SkillError> {
  const { nearest } = await import("../../nearest.ts");
  if (word.startsWith("-")) {
    const guess = nearest(word, ["--version", ...GLOBAL_FLAGS.map((name) => `--${name}`)]);
    return new SkillError("USAGE", `There is no flag ${word}.`, {
      hint: guess ? `Did you mean ${guess}?` : "Run `skillctl --help` to see every flag.",
    });
  }
  const guess = nearest(word, Object.keys(VERBS));
  const skill = builtin.some(({ manifest }) => manifest.name === word);
  return new SkillError("USAGE", `There is no verb "${word}".`, {
    hint: skill
      ? `To run the skill: skillctl run ${word}`
      : guess
        ? `Did you mean ${guess}?`
        : "Run `skillctl --help` to see every verb.",
  });
}

/** The text of `skillctl --help`, written for at most 80 columns. */
function programHelp(version: string): string {
  const rows = Object.values(VERBS).map(({ usage, summary }) => `  ${usage.padEnd(30)} ${summary}`);
  return `skillctl ${version}: hosts agent skills and runs their commands.

Usage: skillctl VERB [ARGS...]

Verbs:
${rows.join("\n")}

Flags for every verb:
  --json          One JSON document on standard output
  --plugin PATH   Also host the skill or skills at PATH (repeatable)
  --no-progress   No spinner, no progress lines
  --verbose       Show the code and the causes of an error
  -h, --help      Help for the program, a verb, a skill or a command
  --version       The version of skillctl

Third-party skills are also found through SKILLCTL_PLUGINS and skillctl.json.

Examples:
  skillctl list
  skillctl run music-analysis "How did my songs do this week?"
  skillctl run music-analysis ask --help
`;
}
