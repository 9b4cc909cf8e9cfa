import { newTraces } from "./traces.ts";
import { hashOf, instrumented, type Instrumented } from "./instrumented.ts";
import { lastAccepted, type SessionEntry } from "../session/entry.ts";
import { markHash, type Change } from "../worktree/change.ts";
import { isDocument } from "../worktree/code-files.ts";
import { exactTexts } from "../worktree/exact-text.ts";

/** The text of a file, compared with how it was. */
export interface FileText extends Instrumented {
  readonly text: string;
  readonly before: string | undefined;
  /** The bytes of a text in the encoding of the file. */
  readonly bytes: (text: string) => Uint8Array;
  /** New lines outside of all regions that report or name parts of the session. */
  readonly traces: readonly { readonly line: number; readonly trace: string }[];
}

/** A file that is not as at the start, compared with how it was and how it was accepted. Commands only act by it. */
export interface FileState extends Change {
  /** Missing for removed files, links, folders and very large files. */
  readonly code?: FileText;
  /** Of its text without regions, as in `SessionEntry.accepted`. */
  readonly hash: string;
  /** As this session has accepted it itself. */
  readonly own: string | undefined;
  /** Whether another session has accepted it last. */
  readonly isShared: boolean;
  /** Whether it is, without regions, as at the start, and as it was accepted last. */
  readonly isAsBefore: boolean;
  readonly isAccepted: boolean;
}

/** @param isPlain whether a mark at fault was accepted as text, by its line from 0 */
export function fileState(
  session: Pick<SessionEntry, "id" | "accepted" | "shared">,
  change: Change,
  isPlain?: (line: number) => boolean,
): FileState {
  const { path, now, mark } = change;
  const code = now && fileText(session.id, { ...change, now }, isPlain);
  const hash = code ? hashOf(code.stripped) : markHash(mark);
  const { hash: last, isShared = false } = lastAccepted(session, path) ?? {};
  const isWhole = code === undefined || code.stripped !== undefined;
  return {
    ...change,
    ...(code && { code }),
    hash,
    own: lastAccepted({ accepted: session.accepted }, path)?.hash,
    isShared,
    isAsBefore: code?.isAsBefore === true,
    isAccepted: isWhole && last === hash,
  };
}

function fileText(
  session: string,
  { path, now, before }: Change & { readonly now: Uint8Array },
  isPlain: ((line: number) => boolean) | undefined,
): FileText {
  const { text, before: former, bytes } = exactTexts(now, before);
  const file = instrumented(path, text, former, isPlain);
  const isCode = !file.isAsBefore && !isDocument(path) && !text.includes("\0");
  const traces = isCode ? newTraces(file.outside, former, session) : [];
  return { ...file, text, before: former, bytes, traces };
}
