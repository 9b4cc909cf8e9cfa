/** Runs the published table of cases, `song-table.json`, through the pure functions. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { withHint } from "../answer/presentation.ts";
import { readChoiceReply } from "../songs/choice-reply.ts";
import { extractSongs } from "../songs/extraction.ts";
import { bareName } from "../songs/fold.ts";
import { readQuestion } from "../songs/question.ts";
import { songEntry, type SongEntry } from "../songs/song.ts";
import { classify } from "../songs/tier.ts";
import manifest from "../../../skills/music-analysis/skill.json" with { type: "json" };
import table from "./song-table.json" with { type: "json" };

/** A name and its id. */
type SongPair = readonly [name: string, id: number];

/** One case of `song-table.json`, with the fields that its kind has. */
interface Case {
  readonly question: string;
  readonly songs: readonly SongPair[];
  /** The song in focus. */
  readonly focus?: SongPair;
  readonly answer: string;
  readonly candidates: readonly SongPair[];
  /** The rest of the mapping. */
  readonly alsoKnown?: readonly SongPair[];
  readonly content: string;
  readonly expected: unknown;
  readonly why: string;
}

interface Group {
  readonly kind: keyof typeof OUTCOMES;
  readonly name: string;
  readonly cases: readonly Case[];
}

/** The outcome of a case, in the form of `expected`. */
const OUTCOMES = {
  resolution,
  confirmation,
  /** The songs of an overall answer, without the marks that wrap their names. */
  extraction: ({ content }: Case) =>
    extractSongs(content).map(({ name, songId }) => [bareName(name), songId]),
  "top-song": hintName,
};
/** The compiler reads the pairs of the table as plain arrays, hence the cast through `unknown`. */
const GROUPS = table as unknown as readonly Group[];

/** The way from a question to a tier: what `ask` does, without a service (spec, States and transitions 1 to 3). */
function resolution({ question, songs, focus }: Case): unknown {
  const known = entries(songs);
  const focused = focus !== undefined;
  const read = readQuestion(question, known, { focused, isOnFocus: focused });
  if (read.kind === "focus") return { tier: "A", id: focus?.[1] };
  if (read.kind !== "song") return { kind: read.kind };
  const ids: number[] = [];
  for (const name of read.names) {
    const tier = classify(name, known);
    if (tier.tier === "B") return { tier: "B", ids: tier.candidates.map(({ songId }) => songId) };
    if (tier.tier === "C") return { tier: "C", name };
    ids.push(tier.entry.songId);
  }
  return ids.length === 1 ? { tier: "A", id: ids[0] } : { tier: "A", ids };
}

/** The meaning of an answer to the question of tier B. */
function confirmation({ answer, candidates, alsoKnown = [] }: Case): unknown {
  const offered = entries(candidates);
  const reply = readChoiceReply(answer, offered, [...offered, ...entries(alsoKnown)]);
  return reply.kind === "chosen" ? { kind: "chosen", id: reply.entry.songId } : reply;
}

/** The words of the hint line of an account-wide answer between 分析歌曲 and 的表现. */
function hintName({ content }: Case): string {
  const [before = "", after = ""] = manifest.texts["account-hint"].text.split("《{TOP_SONG_NAME}》");
  const line = withHint(content).slice(content.length);
  return line.trimStart().slice(before.length, -after.length);
}

function entries(songs: readonly SongPair[]): readonly SongEntry[] {
  return songs.map(([name, id]) => songEntry(name, id) ?? assert.fail(`No song: ${name} ${id}`));
}

it("the table of song cases has no duplicates outside the public examples, and a title for each case", () => {
  const cases = GROUPS.filter(({ name }) => name !== "public examples").flatMap((group) =>
    group.cases.map((each) => JSON.stringify({ ...each, kind: group.kind, expected: null, why: null })),
  );
  assert.ok(GROUPS.every((group) => group.cases.every(({ why }) => why !== "")));
  assert.equal(new Set(cases).size, cases.length);
});

for (const { kind, name, cases } of GROUPS)
  describe(`${kind}: ${name}`, () => {
    for (const each of cases)
      it(each.why, () => assert.deepEqual(OUTCOMES[kind](each), each.expected, JSON.stringify(each)));
  });
