import { join } from "node:path";
import { SkillError, type Files } from "skillctl";
import type { StartInput } from "../contract.ts";
import { checkedSession, DEFAULT_FOLDER, sessionFault, sessionFiles } from "../session-files.ts";
import type { Project } from "./ledger.ts";
import { recordAt, recordPath, recordsIn } from "./record.ts";
import { segmentNumbers } from "../store/log/log-files.ts";

/**
 * The id of a new session: no session, record or log of the project may have it, since the events of a log would
 * count as its evidence. A record of an interrupted start with exactly this text is continued.
 * @throws SkillError `DEBUG_SESSION_TAKEN`, `DEBUG_SESSION_INVALID`, `FILE_UNREADABLE`
 */
export async function freeName(
  { root, sessions }: Project,
  input: StartInput,
  firstText: (id: string) => string,
  files: Files,
): Promise<string> {
  const records: string[] = [];
  for (const id of await recordsIn(root, files))
    if ((await recordAt(recordPath(root, id), files)) !== firstText(id)) records.push(id);
  const folder = join(root, DEFAULT_FOLDER);
  const beside = (await files.list(folder)) ?? [];
  if (input.session === undefined)
    return sessionName(
      input.issue,
      (id) => Object.hasOwn(sessions, id) || records.includes(id) || beside.some((name) => isOf(name, id)),
    );
  const id = checkedSession(input.session);
  if (Object.hasOwn(sessions, id))
    throw taken(`The session ${id} is already running.`, "Continue it: status shows the next step.");
  if (records.includes(id))
    throw taken(
      `The record debug-${id}.md exists, and belongs to no running session.`,
      "Choose another id with --session, or move the record away.",
    );
  const { log } = sessionFiles(folder, id);
  if (segmentNumbers(beside, id).length > 0 || ((await files.facts(log))?.bytes ?? 0) > 0)
    throw taken(
      `A log of another session ${id} already exists; its events would count as evidence of this one.`,
      `Choose another id with --session, or remove ${join(folder, `svc-debug-log-${id}*`)}.`,
    );
  return id;
}

/** Whether a file next to a log belongs to a session: `<id>.env`, `svc-debug-log-<id>.ndjson` and the like. */
function isOf(name: string, id: string): boolean {
  return name.replace(/^svc-debug-log-/, "").startsWith(`${id}.`);
}

/** The error for an id that is already used. */
export function taken(sentence: string, hint: string): SkillError {
  return new SkillError("DEBUG_SESSION_TAKEN", sentence, { hint });
}

/** Words that say nothing about a bug. */
const EMPTY = new Set(
  (
    "a an and are as at be been but by can could did do does every for from gets got had has have how i if in " +
    "into is it its me my of on or our please should so some sometimes still that the their then there these this to " +
    "too under up user users very was we were what when where which while who why will with would you your " +
    "after again before bug bugs during issue issues problem problems since until"
  ).split(" "),
);
/** Words that reverse the meaning: `is not empty` is a different bug from `is empty`. */
const NEGATIONS = new Set(["not", "no", "never", "cannot", "without"]);
/** `isn't`, `doesn't` and the like. */
const NEGATED = /\b(?:is|are|was|were|do|does|did|has|have|had|will|wo|would|should|could|must|need)n't\b/g;
/** Phrasal verbs: `log in`, `signed up`. */
const TOGETHER = /\b(log|sign)(?:s|ged|ging|ed|ing)? (in|on|out|off|up)\b/g;
const MOST_WORDS = 3;
const LONGEST_WORD = 16;

/**
 * A session id from the words of a symptom that is not in `taken`: `The login times out` becomes
 * `login-times-out`. A single word is followed by `bug`, and a final negation by its object. @throws
 * SkillError `DEBUG_SESSION_INVALID` without a significant word in Latin letters
 */
export function sessionName(symptom: string, taken: (id: string) => boolean): string {
  const words = [...new Set(wordsOf(symptom))];
  if (words.every((word) => NEGATIONS.has(word)))
    throw new SkillError("DEBUG_SESSION_INVALID", "The issue has too few words to name the session.", {
      hint: "Which two to four English words describe the bug? Give them with --session, such as --session login-timeout.",
    });
  const count = MOST_WORDS + (NEGATIONS.has(words[MOST_WORDS - 1] ?? "") ? 1 : 0);
  const base = [...words.slice(0, count), ...(words.length === 1 ? ["bug"] : [])].join("-");
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}${number}`;
    // A number can produce a word that some systems reserve for a device.
    if (sessionFault(id) === undefined && !taken(id)) return id;
  }
}

function wordsOf(symptom: string): readonly string[] {
  const plain = symptom
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("\u2019", "'")
    .toLowerCase()
    .replaceAll(NEGATED, "not")
    .replaceAll(/\bcan(?:'| no)t\b/g, "cannot")
    .replaceAll(TOGETHER, "$1$2")
    .replaceAll("'", "");
  const found = plain.match(/[a-z][a-z0-9]*/g) ?? [];
  return found.filter(
    (word) =>
      word.length > 1 &&
      word.length <= LONGEST_WORD &&
      !EMPTY.has(word) &&
      sessionFault(`${word}-x`) === undefined,
  );
}
