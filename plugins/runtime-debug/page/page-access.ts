import { SkillError, type RouteRequest } from "skillctl";
import { isOwnPage, PageLock } from "#page/page-lock";
import type { OpenSession } from "../open-session.ts";

type Headers = RouteRequest<unknown, unknown>["headers"];
type Lock = Pick<OpenSession, "id" | "port" | "pageKey">;

/** The only paths of the cookie: browsers send cookies of one port of a machine to all other ports. */
const PATH = "/page";

/** The header that sets the cookie of a page, in exchange for the key in its address. @throws SkillError `KEY_REFUSED`, `ORIGIN_REFUSED` */
export function unlocked(session: Lock, headers: Headers, key: string): string {
  refuseOtherPages(headers);
  const lock = lockOf(session);
  if (!lock.isKey(key)) throw locked(session, "The key is wrong.");
  return lock.cookieFor(PATH);
}

/** Admits only the page of the session. @throws SkillError `KEY_REFUSED`, `ORIGIN_REFUSED` */
export function refuseLocked(session: Lock, headers: Headers): void {
  refuseOtherPages(headers);
  if (!lockOf(session).opens(headers)) throw locked(session, "The page has not been opened with its key.");
}

function refuseOtherPages(headers: Headers): void {
  if (isOwnPage(headers)) return;
  throw new SkillError("ORIGIN_REFUSED", "Only the page of this server may request that.", {
    hint: "Open the address of the page itself.",
  });
}

function lockOf({ port, pageKey }: Lock): PageLock {
  return new PageLock(`debug-page-${port}`, pageKey);
}

function locked({ id }: Lock, sentence: string): SkillError {
  return new SkillError("KEY_REFUSED", sentence, {
    hint: `Open the whole address, with the part after #: \`skillctl run runtime-debug status ${id}\` prints it.`,
  });
}
