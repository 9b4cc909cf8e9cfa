import type { ServerContext } from "@modelcontextprotocol/server";

/** What carries sentences to who waits for a call. */
export interface Progress {
  readonly say: (sentence: string) => void;
  /** Says nothing more; settles when all that was said is on its way. */
  readonly end: () => Promise<void>;
}

/**
 * How often the last sentence is said again while nothing new is, in milliseconds: a client gives a call up that it hears
 * nothing of, after 60 s by default.
 */
const AGAIN_MS = 15_000;

/** How many notifications a request has had: a command that asks runs several times for one request. */
const counts = new WeakMap<AbortSignal, number>();

/**
 * Notifications to a caller that asked for them; else sentences go to `note`. The number counts the notifications, since
 * it must grow and nobody knows the total (MCP 2025-11-25, basic/utilities/progress).
 */
export function progressTo(
  { mcpReq }: Pick<ServerContext, "mcpReq">,
  note: (sentence: string) => void,
): Progress {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { say: note, end: async () => undefined };
  let last = "Working.";
  let over = false;
  const sending = new Set<Promise<void>>();
  const send = (): void => {
    if (over) return;
    const progress = (counts.get(mcpReq.signal) ?? 0) + 1;
    counts.set(mcpReq.signal, progress);
    const params = { progressToken, progress, message: last };
    const sent = mcpReq
      .notify({ method: "notifications/progress", params })
      .catch((caught: unknown) => note(`A notification could not be sent: ${String(caught)}`))
      .finally(() => sending.delete(sent));
    sending.add(sent);
  };
  const again = setInterval(send, AGAIN_MS);
  return {
    say: (sentence) => {
      last = sentence;
      send();
      again.refresh();
    },
    end: async () => {
      over = true;
      clearInterval(again);
      await Promise.all(sending);
    },
  };
}
