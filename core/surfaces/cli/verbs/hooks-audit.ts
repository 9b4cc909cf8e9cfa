import { isAbsolute, join, resolve } from "node:path";
import { callFiles, inputHash, readCalls } from "../../../adapters/call-log.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import { textLines } from "../../../adapters/text-lines.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { quotedName } from "../../../quoted-name.ts";
import { isObject } from "../../../schema/json.ts";
import { clientOf } from "../../hook/hook.ts";
import type { HookSettings } from "../../hook/install/hook-settings.ts";
import { ClaudeCodeTranscript } from "../../hook/transcripts/claude-code.ts";
import { CodexTranscript } from "../../hook/transcripts/codex.ts";
import type { Entry, Transcript } from "../../hook/transcripts/tool-calls.ts";
import { JudgedCalls, REASONS, type AuditedCall, type HooksNow } from "../../hook/transcripts/verdicts.ts";
import { answer } from "../text.ts";
import type { Invocation } from "../verb.ts";

/** The limit for a line of a transcript, in bytes. Longer ones are not read. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** The number of unreadable lines that are named. */
const MOST_NAMED = 10;
/** Agents never use ids of at least this length twice. */
const UNIQUE_ID = 16;
const FORMS = [ClaudeCodeTranscript, CodexTranscript];

/** Inspects the hooks of an agent for a folder. */
type HooksOf = (client: string, folder: string | undefined) => Promise<HooksNow>;

/** A file with its calls; without a client it is not a transcript. */
interface AuditedFile {
  readonly file: string;
  readonly client?: string;
  readonly sessions?: readonly string[];
  readonly isEmpty: boolean;
  /** The number of unreadable lines, and the first of them, counted from 1. */
  readonly broken: number;
  readonly brokenLines: readonly number[];
  readonly calls: readonly AuditedCall[];
}

/** Prints what the guard decided about each call in transcripts. Returns 0 if all were judged, else 1. */
export async function audit(
  paths: readonly string[],
  client: string | undefined,
  invocation: Invocation,
  settingsOf: (folder: string) => HookSettings,
): Promise<number> {
  if (client !== undefined && !FORMS.some((form) => new form(inputHash).client === clientOf(client).name))
    throw new SkillError("USAGE", "hooks audit reads transcripts of claude-code and codex.");
  if (paths.length === 0)
    throw new SkillError("USAGE", "hooks audit needs a transcript.", {
      hint: "For example: skillctl hooks audit ~/.claude/projects",
    });
  const { workingFolder, variables } = invocation;
  const { stateFolder } = processEnvironment(variables, workingFolder);
  const isRotated = (await nodeFiles.facts(callFiles(stateFolder)[0])) !== undefined;
  const log = new JudgedCalls(readCalls(stateFolder), isRotated);
  const known = new Map<string, Promise<HooksNow>>();
  const hooksOf: HooksOf = (agent, folder) => {
    const key = JSON.stringify([agent, folder]);
    const hooks = known.get(key) ?? hooksNow(agent, folder, workingFolder, settingsOf);
    known.set(key, hooks);
    return hooks;
  };
  const files: AuditedFile[] = [];
  const packed: string[] = [];
  const seen = new Set<string>();
  for (const path of new Set(paths.map((one) => resolve(workingFolder, one)))) {
    for (const file of await filesIn(path)) {
      if (file.endsWith(".zst")) {
        packed.push(file);
        continue;
      }
      const { calls, ...facts } = await auditFile(file, log, hooksOf);
      if (facts.client === undefined && !facts.isEmpty && file === path) throw noTranscript(path);
      if (client !== undefined && facts.client !== client) continue;
      // Sessions that continue in another file, and subagents that are in two files, contain calls twice.
      const fresh = calls.filter(({ id }) => id.length < UNIQUE_ID || !seen.has(id));
      for (const { id } of fresh) seen.add(id);
      files.push({ ...facts, calls: fresh });
    }
  }
  const all = files.flatMap(({ calls }) => calls);
  const summary = summaryOf(all);
  const isWhole = summary.without === 0 && packed.length === 0;
  answer(invocation, { summary, files, packed }, () => textOf(files, summary, packed), isWhole);
  return isWhole ? 0 : 1;
}

/** A file, or the transcripts in a folder. @throws SkillError `FILE_UNREADABLE` */
async function filesIn(path: string): Promise<readonly string[]> {
  if ((await nodeFiles.facts(path))?.kind !== "folder") return [path];
  const found = (await nodeFiles.survey(path, () => true)) ?? [];
  const files = found.filter((one) => /\.jsonl(?:\.zst)?$/.test(one.path)).map((one) => join(path, one.path));
  if (files.length === 0) throw noTranscript(path);
  return files.toSorted();
}

function noTranscript(path: string): SkillError {
  const message = `There is no transcript of Claude Code or Codex in ${quotedName(path)}.`;
  return new SkillError("FILE_UNREADABLE", message, {
    file: path,
    hint: "Claude Code keeps them in ~/.claude/projects, Codex in ~/.codex/sessions.",
  });
}

/** @throws SkillError `FILE_UNREADABLE` */
async function auditFile(file: string, log: JudgedCalls, hooksOf: HooksOf): Promise<AuditedFile> {
  let transcript: Transcript | undefined;
  let [lines, broken] = [0, 0];
  const brokenLines: number[] = [];
  for (const line of textLines(file, MAX_LINE_BYTES)) {
    lines += 1;
    if (line?.trim() === "") continue;
    try {
      const entry = entryIn(line);
      transcript ??= transcriptOf(entry);
      transcript?.read(entry);
      continue;
    } catch (caught) {
      // Not JSON, not an object, or nested too deeply.
      if (!(caught instanceof SyntaxError || caught instanceof RangeError)) throw caught;
    }
    broken += 1;
    if (broken <= MOST_NAMED) brokenLines.push(lines);
  }
  const facts = { file, isEmpty: lines === 0, broken, brokenLines };
  if (!transcript) return { ...facts, calls: [] };
  const { client, sessions } = transcript;
  const calls = await log.audit(transcript, (folder) => hooksOf(client, folder));
  return { ...facts, client, sessions: [...sessions], calls };
}

/** @throws SyntaxError for a line that is too long or is not a JSON object */
function entryIn(line = ""): Entry {
  const value: unknown = JSON.parse(line);
  if (isObject(value)) return value;
  throw new SyntaxError("The line is not a JSON object.");
}

function transcriptOf(entry: Entry): Transcript | undefined {
  const Form = FORMS.find((form) => form.tells(entry));
  return Form && new Form(inputHash);
}

async function hooksNow(
  client: string,
  folder: string | undefined,
  workingFolder: string,
  settingsOf: (folder: string) => HookSettings,
): Promise<HooksNow> {
  const isNamed = folder !== undefined && isAbsolute(folder);
  if (isNamed && (await nodeFiles.facts(folder))?.kind !== "folder")
    return { fault: "elsewhere", sinceMs: 0 };
  try {
    const agent = clientOf(client);
    const scopes = isNamed ? (["project", "user"] as const) : (["user"] as const);
    const all = await settingsOf(isNamed ? folder : workingFolder).statuses([agent], scopes);
    const hooks = all.filter(({ installed }) => installed !== "no");
    const isBefore = (event: string): boolean => agent.events[event] === "tool.pre";
    const sinceMs = Math.min(...hooks.map(({ since = "" }) => Date.parse(since) || 0));
    if (hooks.length === 0) return { fault: "none", sinceMs: 0 };
    if (hooks.every(({ switchedOff }) => switchedOff)) return { fault: "off", sinceMs };
    if (hooks.every(({ missing }) => missing.some(isBefore))) return { fault: "event", sinceMs };
    return { fault: hooks.every(({ faults }) => faults.length > 0) ? "broken" : undefined, sinceMs };
  } catch (caught) {
    // Settings that cannot be read are a reason; `hooks status` says more.
    if (caught instanceof SkillError) return { fault: "broken", sinceMs: 0 };
    throw caught;
  }
}

type Summary = ReturnType<typeof summaryOf>;

function summaryOf(calls: readonly AuditedCall[]) {
  const count = (test: (one: AuditedCall) => boolean): number => calls.filter(test).length;
  const reasons = [...new Set(calls.flatMap(({ reason }) => reason ?? []))].map((reason) => ({
    reason,
    calls: count((one) => one.reason === reason),
    sentence: REASONS[reason],
  }));
  return {
    calls: calls.length,
    judged: count(({ decision }) => decision !== undefined),
    denied: count(({ decision }) => decision === "deny"),
    asked: count(({ decision }) => decision === "ask"),
    without: count(({ reason }) => reason !== undefined),
    reasons,
  };
}

function textOf(
  files: readonly AuditedFile[],
  { calls, judged, denied, asked, without, reasons }: Summary,
  packed: readonly string[],
): string {
  const parts = files.map((file) => {
    const { broken, brokenLines, client } = file;
    const of = client === undefined ? "no transcript" : clientOf(client).title;
    const more = broken > MOST_NAMED ? ` and ${broken - MOST_NAMED} more` : "";
    const notes = broken === 0 ? "" : `  cannot be read: line ${brokenLines.join(", ")}${more}\n`;
    return `${quotedName(file.file)}: ${of}\n${notes}${file.calls.map(lineOf).join("")}\n`;
  });
  const unread = packed.map((file) => `${quotedName(file)} is compressed: unpack it with zstd -d.\n`);
  const head = `${calls} ${calls === 1 ? "call" : "calls"}, ${judged} judged (${denied} denied, ${asked} asked), ${without} without a verdict`;
  const why = reasons.map((one) => `  ${one.reason} (${one.calls}): ${one.sentence}\n`).join("");
  return `${[...parts, ...unread].join("")}${head}${why === "" ? "." : ":"}\n${why}`;
}

function lineOf({ id, tool, at = "-", subagent, decision, rule, reason }: AuditedCall): string {
  const time = at.slice(0, 19).replace("T", " ");
  const end = id === "" ? "-" : `…${quotedName(id.slice(-6))}`;
  const name = `${quotedName(tool)}${subagent ? " (subagent)" : ""}  ${end}`;
  const verdict = decision === undefined ? `no verdict: ${reason}` : decision;
  return `  ${time}  ${name}  ${verdict}${rule === undefined ? "" : ` by ${rule}`}\n`;
}
