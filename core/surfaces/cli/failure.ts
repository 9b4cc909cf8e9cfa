import { basename, dirname } from "node:path";
import { causesOf } from "../../errors/causes.ts";
import { SkillError, asSkillError } from "../../errors/skill-error.ts";
import { quotedName } from "../../quoted-name.ts";
import { skillFolders } from "../../adapters/foreign-skills.ts";
import { processEnvironment } from "../../adapters/environment.ts";
import { installCommand, isUninstalled } from "../../adapters/trust-records.ts";
import { hintOf } from "../../errors/surface-hint.ts";
import { fittingError, jsonText, printable } from "./text.ts";
import type { Terminal } from "./verb.ts";

/** Options for reporting a failure. */
export interface FailureOptions {
  readonly json: boolean;
  readonly verbose: boolean;
  /** The exit status of a code. */
  readonly exitOf: (code: string) => number;
  /** The command that shows the usage: the hint of a usage error that has no other hint. */
  readonly see: string;
  /** The paths that were named by `--plugin`: commands of their skills need the flag again. */
  readonly named: readonly string[];
}

/** Reports an error, as one JSON document under --json. Returns the exit status. */
export function showFailure(caught: unknown, terminal: Terminal, options: FailureOptions): number {
  const error = hinted(asSkillError(caught), options);
  const exit = options.exitOf(error.code);
  const isWritten = options.json && isDocumentWritten(error, exit, terminal);
  if (!isWritten || options.verbose) showProblem(error, terminal, options.verbose);
  return exit;
}

/** The error of a call or test whose code waits for a promise that no event can settle; `pending` names the code if it is known. */
export function waitsForever(subject: string, pending?: string): SkillError {
  const code = pending === undefined || pending === subject ? "its code" : pending;
  const hint = `A promise that ${code} waits for is never settled.`;
  return new SkillError("INTERNAL", `${subject} waits for something that can no longer happen.`, { hint });
}

const TERMS = {
  question: "Run the command at a terminal to answer the question.",
  evaluation: (id: string): string => `\`skillctl why ${id}\` explains it.`,
};

/** The error with its hint in the terms of the command line. */
function hinted(error: SkillError, { see, named }: FailureOptions): SkillError {
  const { code, message, cause, file } = error;
  const fallback =
    file !== undefined && basename(file) === "skill.json"
      ? isUninstalled(dirname(file))
        ? installed(file)
        : `Run \`skillctl validate ${quotedName(file)}\` to see every fault.`
      : code === "USAGE"
        ? `See: ${see}`
        : undefined;
  const given = hintOf(error, { ...TERMS, input: `See: ${see}` }) ?? fallback;
  const hint = given === undefined ? undefined : withPlugins(given, named);
  if (hint === error.hint) return error;
  return new SkillError(code, message, { ...error, cause, hint });
}

/** The hint about an installed skill whose manifest is missing. */
function installed(manifest: string): string {
  const [folder = ""] = manifest.split(/[\\/]\.skillctl[\\/]skills[\\/]/);
  const { stateFolder } = processEnvironment(process.env, process.cwd());
  return `\`${installCommand(folder, stateFolder)}\` installs what skillctl-lock.json lists.`;
}

/** A hint whose command lines name the skill folders as this command line did. */
function withPlugins(hint: string, named: readonly string[]): string {
  return named.reduce(
    (text, path) =>
      skillFolders([path]).reduce(
        (told, folder) =>
          told.replaceAll(
            new RegExp(`skillctl (?=(?:run|info|test) ${basename(folder)}(?![\\w-]))`, "g"),
            () => `skillctl --plugin ${quotedName(path)} `,
          ),
        text,
      ),
    hint,
  );
}

/** A full disk, or a result that cannot be written as JSON, must not hide the error. */
function isDocumentWritten(error: SkillError, exit: number, terminal: Terminal): boolean {
  try {
    terminal.out(jsonText(document(error, exit)));
    return true;
  } catch {
    return false;
  }
}

/** Writes an error and its hint to standard error; `verbose` adds the code, the place and the chain of causes. */
export function showProblem(error: SkillError, terminal: Terminal, verbose: boolean): void {
  const lines = [`error: ${paragraph(error.message)}`];
  if (error.hint !== undefined) lines.push(`hint: ${paragraph(error.hint)}`);
  if (verbose) {
    lines.push(`code: ${printable(error.code)}`);
    if (error.file !== undefined) lines.push(`file: ${printable(error.file)}`);
    if (error.pointer !== undefined) lines.push(`pointer: ${printable(error.pointer)}`);
    lines.push(...causesOf(error).map((cause) => `caused by: ${printable(cause)}`));
  }
  const text = `${fittingError(lines.join("\n"), terminal)}\n`;
  terminal.err(terminal.colour ? text.replace("error:", "\u001B[31merror:\u001B[39m") : text);
}

/** Further lines are indented, so that none can pass for a line of skillctl. */
function paragraph(text: string): string {
  return printable(text).replaceAll("\n", "\n  ");
}

/** The error as JSON, which omits undefined properties. */
function document({ code, message, hint, file, pointer, result }: SkillError, exit: number): unknown {
  return { ok: false, error: { code, message, hint, file, pointer, exit }, output: result };
}
