import type { Measure } from "./query.ts";
import {
  isOfTwo,
  ofRow,
  ofTwo,
  placeIn,
  OF_STEP,
  pointed,
  POINTS,
  withoutPointers,
  type RowKey,
} from "./pointers.ts";
import { read, type Reading, type Slot } from "./reading.ts";
import type { Known } from "./scan.ts";
import {
  hasFilters,
  isOfAccount,
  isOwnKind,
  NO_FORM,
  slotCount,
  slotsOf,
  takenBy,
  UNCLEAR,
} from "./slots.ts";
import { completed } from "./taken-over.ts";
import { versionOf } from "./titles.ts";

/** A question with the song that was sent with it. */
export interface Asked {
  readonly message: string;
  readonly songId?: number | undefined;
  /** Whether it is an overview that a client requests to learn the songs before a question about one of them. */
  readonly isOverview?: boolean;
}

/** The reading of a question, and the questions that the next one can refer to, including this one. */
export interface Conversation {
  readonly reading: Reading;
  readonly asked: readonly Asked[];
  /** Whether the question is complete by itself. */
  readonly isAlone: boolean;
  /** Readings that take over less, in case no file has the figures in the form of the previous question. */
  readonly others: readonly Reading[];
}

/** The reading of the previous questions. */
interface Talk {
  readonly last?: Reading;
  readonly before?: Reading | undefined;
  /** The last question whose answer was a table of rows. */
  readonly ranking?: Reading | undefined;
  readonly isAlone: boolean;
}

/** The maximum number of questions from which one is completed. */
const MOST = 8;
/** Words that link a question to the previous one; 呢 at the end of a second sentence links it to the first one. */
const GOES_ON =
  /^\s*(?:那么?(?!天|个?月|周|年|时|段)|还有|然后|(?:and|n|so|then|what about|how about)\b)|^[^?？。；]*呢[\s?？。！!]*$/iu;
/** Measures of the account, which do not exist for songs. */
const AUDIENCE: readonly Measure[] = ["followers", "followers_gained", "monthly_listeners"];

/**
 * Reads a question after earlier ones, the latest last. It has four slots: figure, subject, period and form. It refers to
 * the last question if it contains a reference, or fills only one slot; the other slots are then taken over. Any other
 * question is complete by itself. With a word for the whole account, no subject is taken over.
 */
export async function readAfter(
  earlier: readonly Asked[],
  next: Asked,
  known: Known,
  rowKey: RowKey,
): Promise<Conversation> {
  const figures = earlier.filter(({ isOverview }) => isOverview !== true);
  const isAfterOverview = next.songId === undefined && figures.length < earlier.length;
  const all = [...(isAfterOverview ? [] : figures), next];
  const starts: number[] = [];
  let talk: Talk = { isAlone: true };
  let base = talk;
  for (const [at, asked] of all.entries()) {
    // The same question for another song refers to the same question as before.
    const { message, songId } = all[at - 1] ?? {};
    const isSame = asked.songId !== undefined && message === asked.message && songId !== asked.songId;
    if (!isSame) base = talk;
    const next = await after(base, asked, known, rowKey);
    talk = isSame ? { ...next, before: talk.last } : next;
    if (talk.isAlone) starts.push(at);
  }
  const { ranking } = base;
  const { isAlone, last: reading = read(next.message, next.songId, known) } = talk;
  const isOverview =
    reading.kind === "overview" && !hasFilters(reading.filters) && reading.times.length === 0;
  if (isAlone && isOverview)
    return { reading, asked: [...figures, { ...next, isOverview }], isAlone, others: [] };
  // The last chain of questions, and the one before it, which "both together" may refer to.
  const [start = 0, previous = 0] = starts.reverse();
  const chain = all.slice(previous);
  const last = all.slice(start + 1).slice(1 - MOST);
  const asked = chain.length <= MOST ? chain : [...all.slice(start, start + 1), ...last];
  return {
    reading,
    asked,
    isAlone,
    others: isAlone ? [] : withLess(reading, ranking),
  };
}

async function after(talk: Talk, { songId, ...asked }: Asked, known: Known, rowKey: RowKey): Promise<Talk> {
  const { last, before, ranking } = talk;
  const first = read(asked.message, undefined, known);
  const message = songId === undefined ? withVersion(first, last, known) : asked.message;
  const whole = message === asked.message ? first : read(message, undefined, known);
  const text = withoutPointers(message);
  const readAs = (id: number | undefined): Reading => {
    if (text === message && id === undefined) return whole;
    return { ...read(text, id, known), question: message, language: whole.language };
  };
  const own = readAs(undefined);
  const place = ranking === undefined ? undefined : placeIn(message);
  const isShort = isElliptic(own, known) || isOfTwo(own) || place !== undefined;
  const became = (reading: Reading): Talk => ({
    last: reading,
    before: last,
    ranking: reading.split === undefined ? ranking : reading,
    isAlone: last === undefined || !isShort,
  });
  if (last === undefined || !isShort) {
    const reading = read(message, songId, known);
    const isReset = last?.filters.songs !== undefined && !hasFilters(reading.filters);
    return became({ ...reading, isWhole: isReset && reading.kind !== "overview" });
  }
  const isUnread = last.faults.some(
    ({ is }) =>
      !(is === "unknown-song" && own.filters.songs) && !(is === "unknown-store" && own.filters.stores),
  );
  // After a question that was not understood, only a complete question is answered.
  const isNamed = slotsOf(own).figure || !GOES_ON.test(message);
  const isWhole = slotCount(own) > 1 && isNamed && !POINTS.test(message);
  if (isUnread && isWhole) return { ...became(read(message, songId, known)), isAlone: true };
  if (isUnread) return became({ ...own, faults: own.faults.length > 0 ? own.faults : [UNCLEAR] });
  // A refusal only names words of this question, not those of the previous question.
  const taken = (full: Reading, said: Reading, of: Reading): Talk =>
    became(
      full.faults.length > 0 ? { ...own, faults: full.faults } : { ...full, taken: takenBy(full, said, of) },
    );
  if (isOfTwo(own)) return taken(ofTwo(last, before, own), own, last);
  if (place !== undefined && ranking !== undefined)
    return taken(await ofRow(ranking, place, own, rowKey), own, ranking);
  const [song, ...songs] = last.filters.songs ?? [];
  const isOfSong = songs.length === 0 && own.filters.songs === undefined && !isOfAccount(own);
  const next = readAs(songId ?? (isOfSong ? song : undefined));
  // A different song that is sent with the question is a subject of its own.
  const isOfOther = songId !== undefined && String(last.filters.songs) !== String(songId);
  // A comparison that names both songs does not refer to the previous question.
  const marks = (own.filters.songs?.length ?? 0) > 1 ? new Set<string>() : own.marks;
  const said: Reading = isOfOther ? { ...own, filters: next.filters, marks } : own;
  const full = await pointed(completed(last, before, said, next), said, last, rowKey);
  return taken(full, { ...next, filters: said.filters }, last);
}

/** 伴奏版呢 after a question about 风筝 names 风筝 (伴奏). */
function withVersion(
  { question: message, faults }: Reading,
  last: Reading | undefined,
  known: Known,
): string {
  const [song, ...songs] = last?.filters.songs ?? [];
  if (song === undefined || songs.length > 0) return message;
  const word = faults.flatMap(({ is, words }) => (is === "unknown-words" ? words : [])).join(" ");
  const at = word === "" ? -1 : message.toLowerCase().indexOf(word);
  const title = at < 0 ? undefined : versionOf(song, word, known.songs);
  return title === undefined
    ? message
    : `${message.slice(0, at)}《${title}》${message.slice(at + word.length)}`;
}

/** Whether a question relies on the previous one for missing parts. */
function isElliptic(own: Reading, known: Known): boolean {
  const { question, filters, faults } = own;
  if (GOES_ON.test(question)) return true;
  // "When did I pass 10,000?": the figure comes from the previous question.
  if (faults.length > 0 && faults.every(({ is }) => is === "empty")) return true;
  const at = question.search(POINTS);
  if (at >= 0 && !isOfOwn(read(question.slice(0, at), undefined, known), question.slice(at))) return true;
  const { figure, period, form } = slotsOf(own);
  // "How much was gained in October?" refers to the previous figure.
  if (
    own.direction !== undefined &&
    !isOwnKind(own) &&
    !figure &&
    !own.hasSplit &&
    own.order === undefined &&
    !hasFilters(filters)
  )
    return true;
  // "Top songs in Japan" fits any figure.
  const slots = slotCount(own);
  return (
    slots === 1 ||
    (slots === 0 && own.comparison !== undefined) ||
    (!figure && !period && form && !isOwnKind(own) && hasFilters(filters))
  );
}

/** "My best day in May, and how many were there that day?", 五一那天: a reference within the question. */
function isOfOwn(beginning: Reading, pointer: string): boolean {
  const isNamed =
    OF_STEP.exec(pointer)?.index === 0 ? beginning.times.length > 0 : hasFilters(beginning.filters);
  return isNamed || slotCount(beginning) > 1;
}

/**
 * Other readings of a completed question, in case no file has the figures in the form that was taken over: with less
 * taken over, or with the period of the ranking at the start of the conversation.
 */
function withLess(reading: Reading, ranking: Reading | undefined): readonly Reading[] {
  const { taken, implied, measures } = reading;
  const less = (change: Partial<Reading>, ...dropped: readonly Slot[]): Reading => ({
    ...reading,
    ...change,
    taken: taken.filter((slot) => !dropped.includes(slot)),
  });
  const isAudience = measures.every((measure) => AUDIENCE.includes(measure));
  const isImplied = taken.includes("figure") && implied !== undefined && implied !== "plays";
  return [
    ...(taken.includes("subject") && isAudience
      ? [less({ ...NO_FORM, filters: {}, isWhole: true }, "subject", "form")]
      : []),
    ...(taken.includes("form") ? [less(NO_FORM, "form")] : []),
    ...(isImplied ? [less({ measures: [implied] }, "figure")] : []),
    ...(taken.includes("period") && ranking !== undefined && ranking.times.length > 0
      ? [less({ times: ranking.times, comparison: ranking.comparison, comparedYear: undefined }, "period")]
      : []),
  ];
}
