import { join } from "node:path";
import { SkillError, type Call, type Environment, type Files, type Programs } from "skillctl";
import type { CleanupInput, CleanupOutput } from "../contract.ts";
import type { DebugServers } from "../session/debug-servers.ts";
import { readRecord } from "../server/server-record.ts";
import { includeRecord } from "../session/exclude.ts";
import type { Ledger } from "../session/ledger.ts";
import { standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { DEFAULT_FOLDER, sessionFiles } from "../session-files.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { acceptedPlaces, refuseUnknown } from "./accepted.ts";
import { cleanCode, type CleanedCode } from "./code-cleaning.ts";
import { closedText, unsafeText } from "./outcome-text.ts";
import type { PlanContext } from "./file-plan.ts";
import { removeAbandoned, removeRemains } from "./remains.ts";
import { reportPlace, writeReport } from "./report.ts";
import { recordNotes, summaryText } from "./summary.ts";

/** What a cleanup works with. */
export interface CleanupParts {
  readonly environment: Environment;
  readonly files: Files;
  readonly ledger: Ledger;
  readonly programs: Programs;
  readonly servers: DebugServers;
  readonly sessions: Sessions;
  readonly worktree: Worktree;
}

const NO_CODE: CleanedCode = { cleaned: [], fixed: [], findings: [], notes: [] };

/**
 * Ends a session. First the code: what is not safe is shown and left, with the session open. Then the page, where one was
 * asked for. From the step to "closed" on the code is proven clean, and only what is the session's own is removed:
 * server, record, logs, images, and last what is kept of it. Killed at any moment, the next cleanup goes on from there.
 * @throws SkillError `DEBUG_CLEANUP_UNSAFE` with the findings in its result, and as the manifest lists
 */
export async function cleanUp(input: CleanupInput, call: Call, parts: CleanupParts): Promise<CleanupOutput> {
  const { environment, files, sessions } = parts;
  const opened = await sessions.open(input.session);
  const wasClosed = opened.entry.state === "closed";
  if (!wasClosed) sessions.refuse(opened, "cleanup");
  const place =
    input.report === undefined ? undefined : await reportPlace(input.report, opened, environment, files);
  call.progress("Looking at what has changed.");
  const code = wasClosed ? NO_CODE : await cleaned(input, opened, parts, call.signal);
  const notes = await humanNotes(opened, files);
  const { drift } = opened.entry;
  const summary = summaryText(opened.entry, code, notes);
  if (place) await writeReport(place, opened.entry.id, summary, files);
  const closed = wasClosed ? opened : await sessions.step(opened, "cleanup", new Set(["clean"]));
  const removed = await removeSession(closed, parts, call.signal);
  const left = input.accept ?? [];
  const text = closedText(closed.entry, { ...code, left }, removed, place?.path, summary);
  return {
    ...standing(closed.entry),
    cleaned: [...code.cleaned],
    fixed: [...code.fixed],
    removed: [...removed],
    findings: [],
    notes: code.notes.map((note) => ({ ...note })),
    summary,
    ...(drift && { drift: [...drift] }),
    ...(place && { report: place.path }),
    text,
  };
}

async function cleaned(
  { accept = [] }: CleanupInput,
  opened: OpenedSession,
  { files, ledger, programs, worktree }: CleanupParts,
  signal: AbortSignal,
): Promise<CleanedCode> {
  const accepted = acceptedPlaces(accept, opened.root);
  await refuseUnknown(accepted, opened, files);
  const context = await planContext(opened, accepted, files, ledger);
  const code = await cleanCode(opened, context, { files, programs, worktree }, signal);
  if (code.findings.length === 0) return code;
  const text = unsafeText(opened.entry, code);
  const result: CleanupOutput = {
    ...standing(opened.entry),
    cleaned: [...code.cleaned],
    fixed: [...code.fixed],
    removed: [],
    findings: code.findings.map((finding) => ({ ...finding })),
    notes: code.notes.map((note) => ({ ...note })),
    text,
  };
  const places = code.findings.length === 1 ? "One place" : `${code.findings.length} places`;
  throw new SkillError(
    "DEBUG_CLEANUP_UNSAFE",
    `${places} cannot be cleaned safely: shown and left. The session ${opened.entry.id} stays open.`,
    {
      result,
      hint: "Mend them, or accept what is right as it is with --accept FILE:LINE, and run cleanup again: name all accepted places in one call, also those of earlier ones.",
    },
  );
}

/** What a plan is made with: the addresses of the session's servers, other sessions, and what was accepted. */
async function planContext(
  { root, entry }: OpenedSession,
  accepted: PlanContext["accepted"],
  files: Files,
  ledger: Ledger,
): Promise<PlanContext> {
  const record = await readRecord(sessionFiles(join(root, DEFAULT_FOLDER), entry.id).record, files);
  const urls = [record?.url, record?.eventUrl, entry.server?.url].flatMap((url) => url ?? []);
  const hosts = urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).host);
  const { sessions } = await ledger.project();
  return {
    traces: { session: entry.id, hosts: [...new Set(hosts)].filter((host) => /:\d+$/.test(host)) },
    others: Object.keys(sessions).filter((id) => id !== entry.id),
    accepted,
    fixes: entry.accepted,
  };
}

/** What belongs to the session alone, in an order in which it can be gone on with: what says that it is there goes last. */
async function removeSession(
  opened: OpenedSession,
  { files, ledger, servers, worktree }: CleanupParts,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { root, entry } = opened;
  await servers.stop(opened);
  await removeAbandoned([root, join(root, DEFAULT_FOLDER), join(root, ".git", "info")], files, signal);
  const removed = await removeRemains(root, entry.id, files);
  await includeRecord(root, entry.id, files);
  await worktree.forget(entry.baseline);
  await ledger.remove(root, entry.id);
  return removed;
}

async function humanNotes({ root, entry }: OpenedSession, files: Files): Promise<readonly string[]> {
  const path = join(root, `debug-${entry.id}.md`);
  if ((await files.facts(path))?.kind !== "file") return [];
  return recordNotes(entry.recordText, (await files.readText(path)) ?? "");
}
