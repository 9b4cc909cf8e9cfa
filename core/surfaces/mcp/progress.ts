import type { ServerContext } from "@modelcontextprotocol/server";

/** Sends progress sentences to the caller of a tool. */
export interface Progress {
  readonly say: (sentence: string) => void;
  /** Stops the notifications; settles when all have been sent. */
  readonly end: () => Promise<void>;
}

/**
 * Interval for repeating the last sentence, in milliseconds: clients cancel a silent call, after 60 s by default.
 */
const AGAIN_MS = 15_000;

/** Notifications per request. A command that asks runs several times for one request. */
const counts = new WeakMap<AbortSignal, number>();

/**
 * Sends notifications if the caller has requested them; otherwise sentences go to `note`, and to the client as log messages of the
 * level that it has set. `progress` counts the notifications, since it must increase and the total is unknown (MCP 2025-11-25,
 * basic/utilities/progress).
 */
export function progressTo(
  { mcpReq }: Pick<ServerContext, "mcpReq">,
  note: (sentence: string) => void,
): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  let last = "Working.";
  let over = false;
  const sending = new Set<Promise<void>>();
  const kept = (sent: Promise<void>): void => {
    const settled = sent
      .catch((caught: unknown) => note(`A notification could not be sent: ${String(caught)}`))
      .finally(() => sending.delete(settled));
    sending.add(settled);
  };
  const end = async (): Promise<void> => {
    over = true;
    await Promise.all(sending);
  };
  if (progressToken === undefined) {
    const say = (sentence: string): void => {
      note(sentence);
      if (!over) kept(mcpReq.log("info", sentence, "skillctl"));
    };
    return { say, end };
  }
  const send = (): void => {
    if (over) return;
    const progress = (counts.get(mcpReq.signal) ?? 0) + 1;
    counts.set(mcpReq.signal, progress);
    kept(
      mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress, message: last } }),
    );
  };
  const again = setInterval(send, AGAIN_MS);
  return {
    say: (sentence) => {
      last = sentence;
      send();
      again.refresh();
    },
    end: async () => {
      clearInterval(again);
      await end();
    },
  };
}
