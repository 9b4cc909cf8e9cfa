import { newTraces } from "./traces.ts";
import { hashOf, instrumented, type Instrumented } from "./instrumented.ts";
import { lastAccepted, type SessionEntry } from "../session/entry.ts";
import { markHash, type Change } from "../worktree/change.ts";
import { isDocument } from "../worktree/code-files.ts";
import { exactTexts } from "../worktree/exact-text.ts";

/** The text of a file, compared with its earlier text. */
export interface FileText extends Instrumented {
  readonly text: string;
  readonly before: string | undefined;
  /** The bytes of a text in the encoding of the file. */
  readonly bytes: (text: string) => Uint8Array;
  /** New lines outside of all regions that report or name parts of the session. */
  readonly traces: readonly { readonly line: number; readonly trace: string }[];
}

/** A file that differs from the start, compared with its earlier and accepted states. Commands act only on this. */
export interface FileState extends Change {
  /** Missing for removed files, links, folders and very large files. */
  readonly code?: FileText;
  /** The hash of its text without regions, as in `SessionEntry.accepted`. */
  readonly hash: string;
  /** The hash that this session itself has accepted. */
  readonly own: string | undefined;
  /** Whether another session was the last to accept it. */
  readonly isShared: boolean;
  /** Whether it equals, without regions, the file at the start, or (`isAccepted`) the last accepted file. */
  readonly isAsBefore: boolean;
  readonly isAccepted: boolean;
}

/** @param isPlain whether a faulty mark was accepted as text; its line counts from 0 */
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
