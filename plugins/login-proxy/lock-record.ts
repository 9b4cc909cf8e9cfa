/** What the holder of the lock says of itself. */
export interface LockRecord {
  /** Rises while the holder lives. */
  readonly beat: number;
  /** Milliseconds since the epoch after which it is over, whatever became of the holder. 0: it was given back. */
  readonly until: number;
  /** How it was given back without a login: after a person was asked, or not. */
  readonly failed?: "asked" | "quiet";
}

/** One turn of the lock: the file with that number. */
export interface Generation {
  /** 0: there was never one. */
  readonly number: number;
  readonly text: string;
  readonly record: LockRecord | undefined;
}

/** Reads a lock file; undefined when it says nothing, which counts as given back. */
export function recordOf(text: string): LockRecord | undefined {
  try {
    const { beat, until, failed } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (typeof beat !== "number" || typeof until !== "number") return undefined;
    return { beat, until, ...((failed === "asked" || failed === "quiet") && { failed }) };
  } catch {
    // Something else has written there.
    return undefined;
  }
}
