import { nodeClaims } from "../../../adapters/claims.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { stampOf } from "../../../adapters/file-stamp.ts";
import { programFiles } from "../../../adapters/program-files.ts";
import { listenPrivately } from "../../../adapters/private-socket.ts";
import { hostSocket, sentVariables } from "../../hook/warm/dispatcher.ts";
import type { WarmRequest } from "../../hook/warm/protocol.ts";
import type { VerbContext } from "../verb.ts";
import { converse, type Answer } from "./conversation.ts";
import { Places } from "./places.ts";

/** It ends when nobody has asked for so long, in milliseconds. */
const IDLE_MS = 15 * 60_000;
/** How often it looks whether it still has its socket and its program, in milliseconds. */
const LOOK_MS = 5_000;
/** What is being answered when it ends may take so long, in milliseconds. */
const LAST_MS = 12_000;

/**
 * Answers events of dispatchers until it is idle, told to end, or out of date: another program on the disk, another
 * program that the dispatcher would start, a socket that is no longer its own. One host a state folder; a second ends at once.
 */
export async function hostWarmly(context: VerbContext): Promise<number> {
  const { stateFolder } = processEnvironment(context.variables, context.workingFolder);
  const claim = await nodeClaims(stateFolder).claim("guard-host");
  if (!claim) return 0;
  const files = programFiles(context.ownProgram ?? [], context.builtin);
  const { text: program } = stampOf(files);
  const isCurrent = (): boolean => stampOf(files).text === program;
  const needed = sentVariables(
    context.builtin.flatMap(({ manifest }) => manifest.permissions?.environment ?? []),
  );
  const places = new Places(context, needed.split(" "));
  const open = new Set<Promise<void>>();
  let [asked, ended] = [Date.now(), false];
  const end = ending();
  const answer: Answer = async (request, event) => {
    asked = Date.now();
    if (ended || !isCurrent() || !isMeant(request)) {
      end.resolve();
      return undefined;
    }
    return places.answer(request, event);
  };
  const isMeant = ({ program: named }: WarmRequest): boolean => named === context.ownProgram?.join(" ");
  const socket = await listenPrivately(hostSocket(stateFolder), (peer) => {
    const done = converse(peer, answer).finally(() => open.delete(done));
    open.add(done);
  });
  const look = setInterval(() => {
    const idle = open.size === 0 && Date.now() - asked > IDLE_MS;
    if (idle || !socket.isOurs() || !isCurrent()) end.resolve();
  }, LOOK_MS);
  context.terminal.signal.addEventListener("abort", () => end.resolve(), { once: true });
  try {
    await end.promise;
  } finally {
    ended = true;
    clearInterval(look);
    const closed = socket.close();
    await Promise.race([Promise.all(open), new Promise((resolve) => setTimeout(resolve, LAST_MS).unref())]);
    await places.close();
    void closed;
    await claim.release();
  }
  return 0;
}

function ending(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
