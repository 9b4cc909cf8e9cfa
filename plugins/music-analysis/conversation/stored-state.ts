import type { SongEntry } from "../songs/mapping.ts";
import type { Account, ConversationState, KnownSongs, PendingChoice } from "./state.ts";

const VERSION = 1;

/** The document that holds a state. */
export function documentOf(state: ConversationState): unknown {
  return { version: VERSION, state };
}

/** The state that a document holds; one of another version, or one that something else has changed, counts as none. */
export function readState(stored: unknown): ConversationState | undefined {
  return isRecord(stored) && stored["version"] === VERSION && isState(stored["state"])
    ? stored["state"]
    : undefined;
}

function isState(value: unknown): value is ConversationState {
  return (
    isRecord(value) &&
    isAccount(value["account"]) &&
    isMissingOr(isKnown, value["known"]) &&
    isMissingOr(isEntry, value["focus"]) &&
    isMissingOr(isPending, value["pending"])
  );
}

function isAccount(value: unknown): value is Account {
  return isRecord(value) && isText(value["login"]) && isMissingOr(isText, value["id"]);
}

function isKnown(value: unknown): value is KnownSongs {
  if (!isRecord(value)) return false;
  const { songs, source, at } = value;
  return isListOf(isEntry, songs) && (source === "overall" || source === "answer") && isTime(at);
}

function isPending(value: unknown): value is PendingChoice {
  if (!isRecord(value)) return false;
  const { question, name, candidates, chosen, asked, at } = value;
  return (
    [question, name].every(isText) &&
    isListOf(isEntry, candidates) &&
    isListOf(isChosen, chosen) &&
    [asked, at].every(isTime)
  );
}

function isChosen(value: unknown): value is PendingChoice["chosen"][number] {
  return Array.isArray(value) && value.length === 2 && isText(value[0]) && isEntry(value[1]);
}

function isEntry(value: unknown): value is SongEntry {
  if (!isRecord(value)) return false;
  const { name, key, songId, version } = value;
  const isId = Number.isSafeInteger(songId) && (songId as number) >= 1;
  return [name, key].every(isText) && isId && isMissingOr(isText, version);
}

function isTime(value: unknown): value is number {
  return Number.isFinite(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isMissingOr(is: (value: unknown) => boolean, value: unknown): boolean {
  return value === undefined || is(value);
}

function isListOf(is: (value: unknown) => boolean, value: unknown): boolean {
  return Array.isArray(value) && value.every(is);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
