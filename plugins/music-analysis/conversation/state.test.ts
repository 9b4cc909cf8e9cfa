import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { songEntry, type SongEntry } from "../songs/mapping.ts";
import { Conversation } from "./conversation.ts";
import {
  KEEP_MS,
  PENDING_MS,
  confirmed,
  isSameAccount,
  knownAt,
  learnt,
  pendingAt,
  settled,
  stateFor,
  waiting,
  type Account,
  type Change,
  type ConversationState,
  type PendingChoice,
} from "./state.ts";
import { documentOf, readState } from "./stored-state.ts";

const NOW = 1_800_000_000_000;
const MINE: Account = { login: "mine", id: "11" };
const EMPTY: ConversationState = { account: MINE };

function song(name: string, songId: number): SongEntry {
  return songEntry(name, songId) as SongEntry;
}

const SEA = song("海盐", 7);
const KITE = song("风筝", 8);
const CHOICE: PendingChoice = {
  question: "分析《海》",
  name: "海",
  candidates: [SEA],
  chosen: [["风", KITE]],
  asked: 1,
  at: NOW,
};

/** What a writer learns: the ids tell the writer, the names the time. */
interface Lesson {
  readonly ids: readonly number[];
  readonly source: "overall" | "answer";
  readonly at: number;
}

const lesson = (least: number): fc.Arbitrary<Lesson> =>
  fc.record({
    ids: fc.uniqueArray(fc.integer({ min: least, max: least + 9 }), { minLength: 1, maxLength: 4 }),
    source: fc.constantFrom("overall", "answer"),
    at: fc.integer({ min: NOW, max: NOW + 1_000 }),
  });

function teaching({ ids, source, at }: Lesson, writer = ""): Change {
  return learnt(
    ids.map((id) => song(`${writer}${at}`, id)),
    source,
    at,
  );
}

function after(changes: readonly Change[], from = EMPTY): ConversationState {
  return changes.reduce((state, change) => change(state), from);
}

const idsOf = (state: ConversationState): readonly number[] =>
  (state.known?.songs ?? []).map(({ songId }) => songId).toSorted((one, other) => one - other);

test("songs from several answers: in any order the same ids, source and age, and the last entry of an id", () => {
  const shuffled = fc
    .array(lesson(1), { minLength: 1, maxLength: 6 })
    .chain((lessons) =>
      fc.tuple(
        fc.constant(lessons),
        fc.shuffledSubarray(lessons, { minLength: lessons.length, maxLength: lessons.length }),
      ),
    );
  fc.assert(
    fc.property(shuffled, ([lessons, others]) => {
      const one = after(lessons.map((each) => teaching(each)));
      const other = after(others.map((each) => teaching(each)));
      assert.deepEqual(idsOf(one), idsOf(other));
      assert.deepEqual([one.known?.source, one.known?.at], [other.known?.source, other.known?.at]);
      for (const entry of other.known?.songs ?? []) {
        const last = others.findLast(({ ids }) => ids.includes(entry.songId));
        assert.equal(entry.name, String(last?.at));
      }
    }),
  );
});

test("an answer without songs teaches nothing, not even that nothing is known", () => {
  for (const source of ["overall", "answer"] as const) {
    assert.equal(learnt([], source, NOW)(EMPTY), EMPTY);
    const known = learnt([SEA], "answer", NOW)(EMPTY);
    assert.equal(learnt([], source, NOW)(known), known);
  }
});

test("an overall answer is the last word for as long as it is kept; then it counts like any other answer", () => {
  const state = learnt([SEA], "overall", NOW)(EMPTY);
  const sourceAt = (now: number): string | undefined => knownAt(state, now)?.source;
  assert.deepEqual([NOW, NOW + KEEP_MS, NOW - KEEP_MS].map(sourceAt), ["overall", "overall", "overall"]);
  assert.deepEqual([NOW + KEEP_MS + 1, NOW - KEEP_MS - 1].map(sourceAt), ["answer", "answer"]);
  const later = learnt([KITE], "answer", NOW + KEEP_MS + 1)(state);
  assert.deepEqual(later.known, { songs: [KITE, SEA], source: "answer", at: NOW + KEEP_MS + 1 });
});

test("a choice waits as long as it may, measured both ways where the clock was set", () => {
  const state = waiting(CHOICE)(EMPTY);
  const waits = (now: number): boolean => pendingAt(state, now) !== undefined;
  assert.deepEqual([NOW, NOW + PENDING_MS, NOW - PENDING_MS].map(waits), [true, true, true]);
  assert.deepEqual([NOW + PENDING_MS + 1, NOW - PENDING_MS - 1].map(waits), [false, false]);
});

test("what was shown settles the focus: one song is in it, several or none leave it empty, a refusal leaves it alone", () => {
  const before = waiting(CHOICE)(confirmed(SEA)(EMPTY));
  assert.deepEqual(settled([KITE])(before), { account: MINE, focus: KITE });
  assert.deepEqual(settled([KITE, SEA])(before), EMPTY);
  assert.deepEqual(settled([])(before), EMPTY);
  assert.deepEqual(settled()(before), { account: MINE, focus: SEA });
});

const ACCOUNTS: readonly (readonly [title: string, one: Account, other: Account, isSame: boolean])[] = [
  ["one login, no ids", { login: "a" }, { login: "a" }, true],
  ["one login, one id known", { login: "a", id: "1" }, { login: "a" }, true],
  ["one login and one id", { login: "a", id: "1" }, { login: "a", id: "1" }, true],
  ["a new login of one id", { login: "a", id: "1" }, { login: "b", id: "1" }, true],
  ["one login that has become another id's", { login: "a", id: "1" }, { login: "a", id: "2" }, false],
  ["two logins, no ids", { login: "a" }, { login: "b" }, false],
  ["two logins, one id known", { login: "a", id: "1" }, { login: "b" }, false],
  ["two logins and two ids", { login: "a", id: "1" }, { login: "b", id: "2" }, false],
];

for (const [title, one, other, isSame] of ACCOUNTS) {
  test(`two accounts are ${isSame ? "one" : "two"}: ${title}`, () => {
    assert.equal(isSameAccount(one, other), isSame);
    assert.equal(isSameAccount(other, one), isSame);
    const stored = { account: one, focus: SEA };
    const expected = isSame ? { account: { ...one, ...other }, focus: SEA } : { account: other };
    assert.deepEqual(stateFor(other, stored), expected);
  });
}

const change = (least: number, writer: string): fc.Arbitrary<Change> =>
  fc.oneof(
    lesson(least).map((each) => teaching(each, writer)),
    fc.constant(waiting({ ...CHOICE, question: writer, candidates: [song(writer, least)], chosen: [] })),
    fc.constant(confirmed(song(writer, least))),
    fc.constantFrom(settled(), settled([]), settled([song(writer, least)])),
  );
const account: fc.Arbitrary<Account> = fc.record(
  { login: fc.constantFrom("a", "b"), id: fc.constantFrom("1", "2") },
  { requiredKeys: ["login"] },
);

test("whatever an account does, nothing of another one is left in the state, and nothing of its own is lost", () => {
  const changes = (least: number, writer: string) => fc.array(change(least, writer), { maxLength: 6 });
  fc.assert(
    fc.property(
      account,
      account,
      changes(1, "theirs"),
      changes(101, "mine"),
      (theirs, mine, first, second) => {
        const before = after(first, { account: theirs });
        const taken = second.reduce<ConversationState>(
          (state, each) => each(stateFor(mine, state)),
          stateFor(mine, readState(documentOf(before))),
        );
        if (isSameAccount(theirs, mine))
          assert.deepEqual(taken, { ...after(second, before), account: taken.account });
        else assert.doesNotMatch(JSON.stringify(taken), /theirs/);
      },
    ),
  );
});

test("two writers that change one conversation in any order both keep what they have learnt", async () => {
  const lessons = (least: number) => fc.array(lesson(least), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(
      lessons(1),
      lessons(101),
      fc.infiniteStream(fc.boolean()),
      async (first, second, order) => {
        let stored: unknown;
        const store = {
          now: () => NOW,
          write: async (_: string, action: (stored: unknown) => unknown) => {
            stored = JSON.parse(JSON.stringify(action(stored)));
            return true;
          },
        };
        const writers = [first, second].map((todo) => ({
          todo: [...todo],
          conversation: new Conversation(store, "talk", EMPTY),
        }));
        for (const isFirst of order) {
          const { todo, conversation } = writers.find(
            ({ todo }, place) => todo.length > 0 && (place === 0) === isFirst,
          ) ??
            writers.find(({ todo }) => todo.length > 0) ?? { todo: [], conversation: undefined };
          const next = todo.shift();
          if (next === undefined) break;
          await conversation?.change(MINE, teaching(next));
          await conversation?.change(MINE, isFirst ? waiting(CHOICE) : settled([SEA]));
        }
        const learntIds = new Set([...first, ...second].flatMap(({ ids }) => ids));
        assert.deepEqual(new Set(idsOf(readState(stored) ?? EMPTY)), learntIds);
      },
    ),
  );
});
