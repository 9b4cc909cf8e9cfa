import type { GuardDecision } from "../../contract.ts";
import type { Subject } from "../../plugin.ts";
import type { Dialect, HookEvent, Spoken } from "./dialect.ts";
import { resolved, type Place } from "./paths.ts";

export type { Dialect, Spoken } from "./dialect.ts";

/** No event is longer, in bytes: a request is read whole before it is judged. */
export const MAX_EVENT_BYTES = 8 * 1024 * 1024;

/** What answering needs. */
export interface Answering {
  readonly dialect: Dialect;
  readonly place: Place;
  readonly decide: (subject: Subject) => Promise<GuardDecision>;
}

/** Answers one event of an agent. Throws nothing: what cannot be read, heard or judged is a denial. */
export async function answered(written: string, { dialect, place, decide }: Answering): Promise<Spoken> {
  let event: HookEvent;
  let subject: Subject | undefined;
  try {
    event = read(written);
    subject = dialect.hear(event);
    if (!subject)
      return dialect.refuse(`${UNREADABLE} it is no event of ${dialect.name}.`, "REQUEST_UNREADABLE");
  } catch (caught) {
    return dialect.refuse(`${UNREADABLE} ${reasonOf(caught)}.`, "REQUEST_UNREADABLE");
  }
  try {
    const cwd = subject.cwd ?? place.cwd;
    const { paths = [] } = subject;
    const whole =
      paths.length === 0 ? subject : { ...subject, paths: [...(await resolved(paths, { ...place, cwd }))] };
    return dialect.answer(await decide(whole), event);
  } catch (caught) {
    return dialect.refuse(`${UNJUDGED} ${reasonOf(caught)}.`, "GUARD_FAILED");
  }
}

/** How the sentences begin that tell of a denial without a rule. */
export const UNREADABLE = "skillctl guard denies this, because it cannot be read:";
export const UNJUDGED = "skillctl guard denies this, because it cannot be judged:";

function read(written: string): HookEvent {
  if (written.trim() === "") throw new Error("nothing came on standard input");
  let value: unknown;
  try {
    value = JSON.parse(written);
  } catch {
    throw new Error("it is no JSON");
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as HookEvent;
  throw new Error("it is no JSON object");
}

/** The first sentence of what was thrown, without its end. */
export function reasonOf(caught: unknown): string {
  const text = caught instanceof Error ? caught.message : String(caught);
  return text.replace(/\.?\s*$/, "");
}
