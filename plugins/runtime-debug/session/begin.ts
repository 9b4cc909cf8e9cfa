import { SkillError } from "skillctl";
import type { Clock, Files, Log, Phases } from "skillctl";
import type { StartInput } from "../contract.ts";
import { recordText } from "../record/record-text.ts";
import type { Baseline } from "../worktree/baseline.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { excludeRecord, includeRecord } from "./exclude.ts";
import { firstEntry, type Draft } from "./first-entry.ts";
import { freeName } from "./free-name.ts";
import type { Ledger } from "./ledger.ts";
import { contentOf } from "./record-content.ts";
import type { RecordFile } from "./record-file.ts";
import type { OpenedSession } from "./sessions.ts";
import type { Turns } from "./turns.ts";

/** What a session is begun with. */
export interface BeginParts {
  readonly ledger: Ledger;
  readonly record: RecordFile;
  readonly worktree: Worktree;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
  readonly turns: Turns;
  readonly phases: Phases;
}

/**
 * Begins a session: the record first, then how the code is now, then the entry in the ledger. A start that is cut off
 * between leaves a record; the next one with the same words takes it over. One that fails leaves nothing.
 * @throws SkillError `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`, `FILE_UNWRITABLE`, `FILE_UNREADABLE`, as
 * `Phases.change` does, and what the look at the code throws
 */
export async function begin(
  input: StartInput,
  parts: BeginParts,
  signal: AbortSignal,
): Promise<OpenedSession> {
  const { root } = await parts.ledger.project();
  // Alone: a second start with the same words would take the record of the first for one that was cut off.
  return parts.turns.start(root, signal, () => begun(input, parts, signal));
}

async function begun(input: StartInput, parts: BeginParts, signal: AbortSignal): Promise<OpenedSession> {
  const { ledger, record, files, clock } = parts;
  const project = await ledger.project();
  const { root } = project;
  const draftOf = (id: string): Draft => firstEntry(id, input, clock.now());
  const firstText = (id: string): string => recordText(contentOf(draftOf(id)));
  const id = await freeName(project, { session: input.session, issue: input.issue, firstText }, files);
  await parts.phases.change({ folder: root, session: id, to: "observing" });
  const text = firstText(id);
  const path = record.path(root, id);
  if (!(await files.create(path, text)) && (await files.readText(path)) !== text)
    throw new SkillError("DEBUG_SESSION_TAKEN", `Somebody else has just made ${path}.`, {
      hint: "Try again, or choose another id with --session.",
    });
  let baseline: Baseline | undefined;
  try {
    await excluded(root, id, parts);
    baseline = await parts.worktree.begin(root, id, signal, (sentence) => parts.log.notice(sentence));
    const entry = { ...draftOf(id), baseline, recordText: text };
    await ledger.write(root, entry);
    return { root, entry };
  } catch (caught) {
    // The record and the images are then those of the session that is there.
    if (!(caught instanceof SkillError && caught.code === "DEBUG_SESSION_TAKEN"))
      await undone(root, id, { text, baseline }, parts);
    throw caught;
  }
}

/** A repository that cannot be written is none of the session's business: the record is only not left out of it. */
async function excluded(root: string, id: string, { files, log }: BeginParts): Promise<void> {
  try {
    await excludeRecord(root, id, files);
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    log.notice(`${caught.message} Git does not leave out debug-${id}.md: do not commit it.`);
  }
}

async function undone(
  root: string,
  id: string,
  { text, baseline }: { readonly text: string; readonly baseline: Baseline | undefined },
  { files, record, worktree, log }: BeginParts,
): Promise<void> {
  const path = record.path(root, id);
  try {
    if ((await files.readText(path)) === text) await files.remove(path);
    await includeRecord(root, id, files);
    if (baseline) await worktree.forget(baseline);
  } catch (caught) {
    // It must not hide why the start has failed.
    if (!(caught instanceof SkillError)) throw caught;
    log.notice(caught.message);
  }
}
