import { randomBytes } from "node:crypto";
import { SkillError, type Http, type JournalReader, type Journals } from "skillctl";
import { attempt, objectIn } from "./server-links.ts";
import type { Way } from "./way.ts";

/** The run of the doctor's events, so that they stand in no comparison. */
const RUN = "doctor";
/** The event is among the last of the log: so many bytes of it are read. */
const TAIL_BYTES = 1024 * 1024;
const HINTS: Readonly<Record<string, string>> = {
  forbidden_origin: "Start the server with --allow-origin and the origin of the page.",
  forbidden_host: "Start the server with --allow-host and the name that the program uses.",
  forbidden_key:
    "The address in the program is an old one: take the one in the environment file, with its key.",
  storage_full: "Make room on the disk; the server goes on by itself.",
  not_found: "Events go to an address that ends in /event.",
};

/** Posts an event as a program or a page would; answers its mark when it was taken. */
export async function postEvent(
  url: string,
  session: string,
  origin: string | undefined,
  http: Http,
  way: Way,
  signal: AbortSignal,
): Promise<string | undefined> {
  const mark = randomBytes(12).toString("hex");
  const event = {
    sessionId: session,
    runId: RUN,
    location: "skillctl doctor",
    msg: "[DEBUG] an event of skillctl doctor",
    data: { mark },
  };
  const headers = { "content-type": "application/json", ...(origin !== undefined && { origin }) };
  const answer = await attempt(http, { method: "POST", url, headers, body: JSON.stringify(event) }, signal);
  if (answer instanceof SkillError) {
    way.breaks("event", `The event was not answered: ${answer.message}`, "Start the server again.");
    return undefined;
  }
  if (answer.status === 200) {
    way.holds("event", "An event was taken.");
    return mark;
  }
  const { error, message, hint } = objectIn(answer);
  const code = typeof error === "string" ? error : "no code";
  const why = typeof message === "string" ? message : "without a reason";
  const own = typeof hint === "string" ? hint : "Check the address.";
  way.breaks("event", `The event was refused (${answer.status}, ${code}): ${why}`, HINTS[code] ?? own);
  return undefined;
}

/** Whether the event with that mark stands in the log. @throws SkillError `FILE_UNREADABLE`, `STORAGE_UNSAFE` */
export async function checkArrival(path: string, mark: string, journals: Journals, way: Way): Promise<void> {
  const reader = await journals.openToRead(path);
  if (reader && (await endOf(reader)).includes(mark)) return way.holds("log", `It stands in ${path}.`);
  way.breaks(
    "log",
    reader ? `It does not stand in ${path}.` : `There is no ${path}.`,
    "The server writes to another folder: name it with --outdir.",
  );
}

async function endOf(reader: JournalReader): Promise<string> {
  try {
    const from = Math.max(0, reader.bytes - TAIL_BYTES);
    return new TextDecoder().decode(await reader.read(from, reader.bytes - from));
  } finally {
    await reader.close();
  }
}
