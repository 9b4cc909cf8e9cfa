/** What a body asks, once it fits the contract. */
export interface ChatQuestion {
  readonly userMessage: string;
  readonly songId: number | undefined;
}

/** Why a body does not fit: a field that is not allowed, a blank or missing message, a song id that is none. */
export type ChatFault = "wrong-field" | "blank-message" | "bad-song-id";

const FIELDS: ReadonlySet<string> = new Set(["userMessage", "songId"]);

/** Reads the body of chat-sync: exactly `userMessage` and, if need be, `songId`. */
export function readChat(body: unknown): ChatQuestion | ChatFault {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return "wrong-field";
  if (Object.keys(body).some((name) => !FIELDS.has(name))) return "wrong-field";
  const { userMessage, songId } = body as Readonly<Record<string, unknown>>;
  if (typeof userMessage !== "string" || userMessage.trim() === "") return "blank-message";
  if (songId === undefined) return { userMessage, songId: undefined };
  if (typeof songId !== "number" || !Number.isSafeInteger(songId) || songId < 1) return "bad-song-id";
  return { userMessage, songId };
}
