import { basename, join, relative, resolve } from "node:path";
import { isThere } from "../../../adapters/configuration-files.ts";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import type { ContractCase, ContractTestOptions } from "../../../testing/contract-tests.ts";
import type { UnexercisedPart } from "../../../testing/coverage.ts";
import { SkillError, asSkillError } from "../../../errors/skill-error.ts";
import { quotedName, shownJson } from "../../../quoted-name.ts";
import { VERSION } from "../../../version.ts";
import type { CallEnd, SurfaceCall } from "../../../testing/cases/surface-cases.ts";
import { TEST_REPORTS, type Outcome } from "../test-reports.ts";
import { fitting, jsonText, printable, table } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, single, type Flags, type ReadWords } from "../words.ts";
import { withPath } from "../served.ts";

const SURFACES = ["cli", "http", "mcp"] as const;
const FLAGS: Flags = {
  against: { type: "string" },
  format: { type: "string", values: ["text", ...Object.keys(TEST_REPORTS), "json", "markdown", "sarif"] },
  surface: { type: "string", values: SURFACES },
  seed: { type: "string" },
  "base-url": { type: "string" },
  "allow-writes": { type: "boolean" },
};
const HELP = `Runs the contract tests that follow from the manifests and schemas.

Usage: skillctl test [SKILL...] [--surface NAME]... [--format FORMAT]
       skillctl test [SKILL...] --base-url URL [--allow-writes]
       skillctl test [SKILL...] --against REF [--format FORMAT]

The tests cover the values that each schema must accept and refuse, every
command and route with every example, the sequences of the manifest, every rule
against its tables. Each test runs in its own folders and without environment
variables. Parts that no test has exercised are listed at the end.

  SKILL   name of a hosted skill, or the path of a folder with a skill.json,
          such as . or ./greeting: naming its path allows its code to run.
          Default: the built-in skills and the configured ones; in the folder
          of a configured skill, only that skill

  --surface NAME   also call every command over cli, http or mcp (repeatable,
                   or with commas): a call ends as it does in the process
  --seed N         for random combinations of the derived values, 0 to
                   4294967295. Default 1: the same ones each time
  --base-url URL   call the commands and routes of a running server instead,
                   with the key in ?k= of the URL or in SKILLCTL_KEY: examples,
                   derived wrong inputs, sequences
  --allow-writes   with --base-url: also calls that may change something.
                   Default: commands with "readOnly": true, and GET
  --against REF    compare the contracts instead, manifest and schemas, with
                   those of a git revision, or of a folder (./earlier); no
                   code is loaded. Each change is breaking, unknown or not
                   breaking, for the surfaces that it names. Default of
                   SKILL: the configured ones
  --format FORMAT  for the results: text (default), tap, junit; for the
                   comparison: text (default), json, markdown, sarif

  --json  the output has passed, failed, skipped, seed, tests: [{ skill, title,
          status, reason?, warnings? }], unexercised: [{ skill, part, reason }]

Exit status: 0 when no test failed, 1 when one failed or none was run; for a
comparison 1 when a change is breaking.
`;

export const verb: Verb = { help: HELP, flags: FLAGS, run };

/** The time after which a test that has not ended is named. */
const LATE_MS = 30_000;

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS);
  const picked = chosen(read.positionals, invocation);
  const against = single(read, "against");
  const format = single(read, "format");
  if (against !== undefined) return compared(against, format, read.positionals, picked, invocation);
  const { terminal, options } = invocation;
  const report = reportFor(format, options.json);
  const seed = seedOf(single(read, "seed"));
  const server = await serverAt(read, invocation);
  const [{ contractCases }, { Coverage }, skills, calls] = await Promise.all([
    import("../../../testing/contract-tests.ts"),
    import("../../../testing/coverage.ts"),
    invocation.builtin(),
    callsOver(read.flags.get("surface") ?? [], invocation),
  ]);
  const coverage = new Coverage();
  const wanted = { skills, ...picked, calls, seed, coverage, ...(server && { server }) };
  const cases = await contractCases(wanted).catch((caught) => {
    throw withPath(caught, picked.only ?? [], invocation, (path) => `skillctl test ${path}`);
  });
  const outcomes: Outcome[] = [];
  const tell = (outcome: Outcome): void => {
    if (report === undefined && !options.json)
      terminal.out(fitting(lineOf(outcome, outcomes.at(-1)?.skill), terminal));
    outcomes.push(outcome);
  };
  // The process of another program must not be ended.
  // A debugger stops the loop as well.
  const isWatched =
    terminal.lastWord !== undefined && !process.execArgv.some((word) => word.startsWith("--inspect"));
  using blocked = isWatched
    ? new (await import("../../../adapters/blocked-loop.ts")).BlockedLoop()
    : undefined;
  for (const { skill, title, skip, run: attempt } of cases) {
    if (terminal.signal.aborted) break;
    const subject = `The test ${shownJson(title, 200)} of ${skill}`;
    invocation.running.current = subject;
    blocked?.watch(printable(subject));
    const late = setTimeout(
      () => terminal.err(printable(`${subject} has been running for ${LATE_MS / 1_000} s.\n`)),
      LATE_MS,
    ).unref();
    const outcome =
      skip === undefined
        ? await tried(skill, title, attempt)
        : ({ skill, title, status: "skipped", reason: skip } as const);
    clearTimeout(late);
    tell(outcome);
  }
  for (const { skill, sentence } of invocation.running.late ?? [])
    tell({ skill, title: "code: leaves no failure unhandled", status: "failed", reason: sentence });
  const count = (status: Outcome["status"]): number => outcomes.filter((one) => one.status === status).length;
  const [passed, failed, skipped] = [count("passed"), count("failed"), count("skipped")];
  const unexercised = coverage.unexercised();
  const output = { passed, failed, skipped, seed, tests: outcomes, unexercised };
  if (report) terminal.out(printable(report(outcomes, seed)));
  else if (options.json) terminal.out(jsonText({ ok: failed === 0 && passed > 0, output }));
  else
    terminal.out(
      `${unexercisedText(unexercised, terminal.columns)}\nSeed: ${seed}\n${passed} passed, ${failed} failed, ${skipped} skipped\n`,
    );
  return failed > 0 || passed === 0 || terminal.signal.aborted ? 1 : 0;
}

/** @throws SkillError `USAGE` */
function seedOf(word = "1"): number {
  if (/^\d{1,10}$/.test(word) && Number(word) < 2 ** 32) return Number(word);
  throw new SkillError(
    "USAGE",
    `--seed must be a whole number from 0 to 4294967295, not ${quotedName(word)}.`,
  );
}

/** The server of `--base-url`. @throws SkillError `USAGE` */
async function serverAt(read: ReadWords, { variables }: Invocation): Promise<ContractTestOptions["server"]> {
  const given = single(read, "base-url");
  const allowsWrites = single(read, "allow-writes") === "true";
  if (given === undefined) {
    if (allowsWrites) throw new SkillError("USAGE", "--allow-writes needs --base-url.");
    return undefined;
  }
  if (read.flags.has("surface"))
    throw new SkillError(
      "USAGE",
      "--base-url and --surface cannot be combined: a server is called over HTTP.",
    );
  const address = URL.canParse(given) ? new URL(given) : undefined;
  if (!address || !/^https?:$/.test(address.protocol))
    throw new SkillError("USAGE", "--base-url needs the address of a server.", {
      hint: "For example: --base-url http://127.0.0.1:7780",
    });
  const key = address.searchParams.get("k") ?? variables["SKILLCTL_KEY"];
  const { nodePorts } = await import("../../../host.ts");
  return {
    url: `${address.origin}${address.pathname}`.replace(/\/$/, ""),
    headers: key ? { authorization: `Bearer ${key}` } : {},
    http: nodePorts().http,
    allowsWrites,
  };
}

/** The untested parts, as a table. */
function unexercisedText(parts: readonly UnexercisedPart[], columns: number): string {
  if (parts.length === 0) return "";
  const rows = parts.map(({ skill, part, reason }): [string, string] => [`${skill}: ${part}`, reason]);
  return `\nNot covered by a test (no failures):\n${table(rows, columns)}`;
}

/** The report in a format other than text. @throws SkillError `USAGE` */
function reportFor(format = "text", isJson = false): (typeof TEST_REPORTS)[string] | undefined {
  const report = Object.hasOwn(TEST_REPORTS, format) ? TEST_REPORTS[format] : undefined;
  if (format === "text" || (report && !isJson)) return report;
  throw new SkillError(
    "USAGE",
    report
      ? "--format and --json cannot be combined."
      : `There is no format ${quotedName(format)} of results.`,
    { hint: `--format takes text, ${Object.keys(TEST_REPORTS).join(", ")}; others need --against` },
  );
}

/** Compares contracts. Returns the exit status. */
async function compared(
  reference: string,
  given: string | undefined,
  words: readonly string[],
  picked: ReturnType<typeof chosen>,
  invocation: Invocation,
): Promise<number> {
  const { terminal, options, workingFolder } = invocation;
  const [{ changesAgainst }, { FORMATS, comparisonOf, reportIn }] = await Promise.all([
    import("../against/against.ts"),
    import("../against/report.ts"),
  ]);
  const format = FORMATS.find((one) => one === (given ?? "text"));
  if (format === undefined || (options.json && given !== undefined))
    throw new SkillError(
      "USAGE",
      format ? "--format and --json cannot be combined." : `There is no format ${quotedName(given ?? "")}.`,
      {
        hint: `--format takes ${FORMATS.join(", ")}`,
      },
    );
  const roots =
    words.length > 0 ? words.filter(isPath).map((path) => resolve(workingFolder, path)) : options.plugins;
  const { changes, fileOf } = await changesAgainst(reference, { ...picked, roots }, invocation);
  const comparison = comparisonOf(reference, changes);
  if (options.json) terminal.out(jsonText({ ok: comparison.breaking === 0, output: comparison }));
  else {
    const text = reportIn(format, comparison, VERSION, (change) =>
      relative(workingFolder, fileOf(change)).replaceAll("\\", "/"),
    );
    terminal.out(format === "text" ? fitting(text, terminal) : printable(text));
  }
  return comparison.breaking > 0 ? 1 : 0;
}

/** Ways to call commands over the surfaces. @throws SkillError `USAGE` for an unknown one */
async function callsOver(
  names: readonly string[],
  invocation: Invocation,
): Promise<Readonly<Record<string, SurfaceCall>>> {
  if (names.length === 0) return {};
  const { SURFACE_CALLS } = await import("../../../testing/cases/surface-cases.ts");
  const known: Readonly<Record<string, SurfaceCall>> = { cli: overCli(invocation), ...SURFACE_CALLS };
  const entries = names
    .flatMap((word) => word.split(","))
    .map((name): [string, SurfaceCall] => {
      const call = Object.hasOwn(known, name) ? known[name] : undefined;
      if (call) return [name, call];
      throw new SkillError("USAGE", `There is no surface ${quotedName(name)}.`, {
        hint: `--surface takes ${Object.keys(known).join(", ")}`,
      });
    });
  return Object.fromEntries(entries);
}

/** Calls commands as `skillctl run` does. */
function overCli(invocation: Invocation): SurfaceCall {
  return async ({ host, environment }, { skill, name }, input) => {
    const { verb: runs } = await import("./run.ts");
    let out = "";
    const terminal: Invocation["terminal"] = {
      out: (text) => void (out += text),
      err: () => undefined,
      lively: false,
      colour: false,
      columns: 80,
      signal: invocation.terminal.signal,
    };
    await runs.run([skill, name, "--input", JSON.stringify(input)], {
      ...invocation,
      terminal,
      workingFolder: environment.workingFolder,
      variables: {},
      options: { json: true, verbose: false, progress: false, plugins: [], named: [], namedPaths: [] },
      host: () => Promise.resolve(host),
      running: {},
    });
    const answer = JSON.parse(out) as {
      readonly ok: boolean;
      readonly output?: unknown;
      readonly error: CallError;
    };
    return answer.ok ? { output: answer.output } : answer.error;
  };
}

type CallError = Extract<CallEnd, { readonly code: string }>;

async function tried(skill: string, title: string, attempt: ContractCase["run"]): Promise<Outcome> {
  const warnings: string[] = [];
  const told = (): Partial<Outcome> => (warnings.length > 0 ? { warnings } : {});
  try {
    const reason = await attempt((sentence) => void warnings.push(sentence));
    return reason === undefined
      ? { skill, title, status: "passed", ...told() }
      : { skill, title, status: "skipped", reason };
  } catch (caught) {
    const { code, message } = asSkillError(caught);
    const reason = code === "INTERNAL" && caught instanceof Error ? caught.message : message;
    return { skill, title, status: "failed", reason, ...told() };
  }
}

const MARKS = { passed: "ok  ", failed: "FAIL", skipped: "skip" } as const;

function lineOf({ skill, title, status, reason, warnings = [] }: Outcome, last: string | undefined): string {
  const head = skill === last ? "" : `${last === undefined ? "" : "\n"}${skill}\n`;
  const why =
    reason === undefined
      ? ""
      : status === "skipped"
        ? ` (${reason})`
        : `\n${reason.replace(/^/gm, "       ")}`;
  const warned = warnings.map((sentence) => `       warning: ${sentence}\n`).join("");
  return `${head}  ${MARKS[status]} ${title}${why}\n${warned}`;
}

/** The skills to test. Words are paths of folders or names of hosted skills. A name never leads to a folder here, since its code is not trusted. */
function chosen(
  words: readonly string[],
  { options, workingFolder }: Invocation,
): { readonly only?: readonly string[]; readonly plugins: readonly string[] } {
  // A skill may be configured and also named by its folder.
  const known = options.plugins.flatMap((path) => skillFolders([path]));
  const paths = words.filter(isPath);
  const folders = paths.flatMap((path) => skillFolders([resolve(workingFolder, path)]));
  if (words.length === 0 && isThere(join(workingFolder, "skill.json"))) {
    const here = skillFolders([workingFolder]).filter((folder) => known.includes(folder));
    if (here.length === 0)
      throw new SkillError(
        "USAGE",
        "The skill in this folder is not hosted: its code runs only if you name its path.",
        {
          hint: "skillctl test .",
        },
      );
    folders.push(...here);
  }
  const only = [...words.filter((word) => !isPath(word)), ...folders.map((folder) => basename(folder))];
  return { plugins: [...new Set([...known, ...folders])], ...(only.length > 0 && { only }) };
}

function isPath(word: string): boolean {
  return /[./\\]/.test(word);
}
