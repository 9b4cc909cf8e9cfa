/** What is asked about songs, against a real server: which requests are made for a question, and what is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { answered } from "../../../contract-tests/fake-service.ts";
import { withMusic } from "./host.ts";

const SONGS = answered(
  "| 歌曲名 | songId | 播放量 |\n|---|---|---|\n| 《海盐》 | 7 | 100 |\n| 《风筝》 | 8 | 300 |\n| 《风筝》(Live) | 9 | 20 |\n",
);
const ONE = answered("one");
const OVERALL = { userMessage: "看看我的整体歌曲表现" };
const song = (userMessage: string, songId: number): object => ({ userMessage, songId });

test("a known name beside a pointer is the song [music.resolve.pointer]", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    const question = "海盐这首歌怎么样";
    assert.equal((await ask(question)).text, "one");
    assert.deepEqual(service.bodies, [OVERALL, song(question, 7)]);
  }));

test("words before a colon are the song that a pronoun means, where there is one of that name", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    const question = "海盐: plays since it came out";
    assert.equal((await ask(question)).text, "one");
    assert.deepEqual(service.bodies, [OVERALL, song(question, 7)]);
  }));

test("words before a colon that are no song leave the question which one a pronoun means", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    assert.equal((await ask("Question: how did it do in October")).kind, "choice");
    assert.deepEqual(service.bodies, [OVERALL]);
  }));

test("a known name without marks is never answered for the whole account [music.tier-c.no-fallback]", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    const question = "海盐最近30天播放量";
    const shown = await ask(question);
    assert.deepEqual([shown.text, shown.kind, shown.requests], ["one", "song", 2]);
    assert.deepEqual(service.bodies, [{ userMessage: question }, song(question, 7)]);
  }));

test("questions about the account go out once and without an id [music.resolve.account] [music.service.scope]", () =>
  withMusic([answered("shown")], async ({ ask, service }) => {
    const questions = [
      "我的播放量",
      "听众画像怎么样",
      "粉丝分布在哪些地区",
      "最近的收入",
      "Which of my songs grew most?",
    ];
    for (const question of questions) assert.deepEqual([(await ask(question)).kind], ["account"], question);
    assert.deepEqual(
      service.bodies,
      questions.map((userMessage) => ({ userMessage })),
    );
  }));

test("a question that names more songs than a day has questions is refused before one is spent", () =>
  withMusic([SONGS, ONE], async ({ ask, service }) => {
    const names = Array.from({ length: 11 }, (_, place) => `《海盐${place}》`);
    await assert.rejects(ask(`比较${names.join("")}`), { code: "INPUT_INVALID", message: /names 11 songs/ });
    assert.deepEqual(service.bodies, []);
  }));
