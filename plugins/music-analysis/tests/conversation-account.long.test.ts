import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { createTestHost } from "skillctl/testing";
import { OVERALL, catalogue, type Answer, type Song } from "./asking-service.ts";
import {
  about,
  plain,
  talk,
  unsupported,
  visitor,
  withHarness,
  type Harness,
  type Step,
} from "./conversation-harness.ts";
import { refused } from "../../../contract-tests/fake-service.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

const MINE: readonly Song[] = [
  ["海盐", 7],
  ["风筝", 8],
];
const THEIRS: readonly Song[] = [["海盐", 70]];
const THIS = "这首歌怎么样";

/** A token that names its owner; `issued` changes its text. */
function jwt(payload: object, issued = 1): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "HS256" })}.${part({ ...payload, iat: issued })}.c2ln`;
}

/** A service of two accounts: tokens whose text or `sub` begins with b belong to the second one. */
const TWO_ACCOUNTS: Answer = (body, token) => {
  const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
  const other = token.startsWith("b-") || payload.includes('"sub":"b');
  return catalogue({ overall: other ? THEIRS : MINE, account: other ? "22" : "11" })(body, token);
};

const A = "a-opaque-token-0001";
const FIRST: readonly Step[] = [
  { say: "分析《海盐》", gets: "song", login: A, sent: [OVERALL, about("分析《海盐》", 7)] },
  { say: "分析《风筝！》", gets: "choice", sent: [] },
];

const OTHERS: readonly (readonly [title: string, first: string, second: string])[] = [
  ["another opaque token", A, "b-opaque-token-0002"],
  ["a JWT of another subject", jwt({ sub: "a1" }), jwt({ sub: "b1" })],
];

for (const [title, first, second] of OTHERS) {
  test(`a conversation belongs to one account: with ${title} nothing of it is seen, whatever its name`, () =>
    withHarness(TWO_ACCOUNTS, async (harness) => {
      const [one, ...rest] = FIRST;
      await talk(harness, [{ ...(one as Step), login: first }, ...rest]);
      const other = await harness.host({ token: second });
      const known = await other.songs({ conversation: "talk" });
      assert.deepEqual([known["songs"], known["focus"]], [[], undefined]);
      await talk(harness, [
        { say: "1", gets: "INPUT_INVALID", login: second, sent: [] },
        { say: THIS, gets: "choice", sent: [], shown: /^您想了解哪一首歌？/ },
        { say: "分析《风筝》", gets: "unsupported", sent: [OVERALL], shown: unsupported("风筝") },
        { say: "分析《海盐》", gets: "song", sent: [about("分析《海盐》", 70)] },
      ]);
    }));
}

test("a conversation belongs to one account: another one's question clears the songs, the focus and the choice", () =>
  withHarness(TWO_ACCOUNTS, async (harness) => {
    await talk(harness, [
      ...FIRST,
      { say: "我的播放量", gets: "account", login: "b-opaque-token-0002", sent: [plain("我的播放量")] },
      { say: "1", gets: "INPUT_INVALID", login: A, sent: [] },
      { say: THIS, gets: "choice", sent: [] },
    ]);
  }));

test("a new login of the same account keeps the conversation: a JWT of the same subject at once", () =>
  withHarness(TWO_ACCOUNTS, (harness) =>
    talk(harness, [
      { ...(FIRST[0] as Step), login: jwt({ sub: "a1" }) },
      ...FIRST.slice(1),
      { say: "1", gets: "song", login: jwt({ sub: "a1" }, 2), sent: [about("分析《风筝！》", 8)] },
      { say: THIS, gets: "song", login: jwt({ sub: "a1" }, 3), sent: [about(THIS, 8)] },
    ]),
  ));

test("a new login of the same account keeps the conversation: an opaque token from the first answer on", () =>
  withHarness(TWO_ACCOUNTS, (harness) =>
    talk(harness, [
      FIRST[0] as Step,
      { say: "我的播放量", gets: "account", login: "a-opaque-token-0003", sent: [plain("我的播放量")] },
      { say: THIS, gets: "song", sent: [about(THIS, 7)] },
      { say: "分析《风筝》", gets: "song", sent: [about("分析《风筝》", 8)] },
    ]),
  ));

test("a login that expires during a question about a song keeps the conversation if the account is the same", () =>
  withHarness(TWO_ACCOUNTS, async (harness) => {
    await talk(harness, FIRST.slice(0, 1));
    const person = await renewed(harness, { from: A, to: "a-opaque-token-0004" });
    assert.equal((await person.ask("分析《风筝》", "talk")).text, "answer about song 8");
    assert.equal((await person.ask(THIS, "talk")).requests, 1);
    assert.deepEqual(harness.service.bodies.at(-1), about(THIS, 8));
  }));

test("if a login expires and another account follows, the question starts again without data of the first", () =>
  withHarness(TWO_ACCOUNTS, async (harness) => {
    await talk(harness, FIRST.slice(0, 1));
    const person = await renewed(harness, { from: A, to: "b-opaque-token-0005" });
    const shown = await person.ask("分析《风筝》", "talk");
    assert.deepEqual([shown.text, shown.requests], [unsupported("风筝"), 3]);
    const known = await person.songs({ conversation: "talk" });
    assert.deepEqual([known["songs"], known["focus"]], [[{ name: "海盐", songId: 70 }], undefined]);
    const again = about("分析《风筝》", 8);
    assert.deepEqual(harness.service.bodies.slice(2), [again, again, OVERALL]);
  }));

test("an import makes the embedded service another account", async () => {
  const test = await createTestHost({ skills: SKILLS });
  const { environment } = test;
  try {
    const before = visitor(test);
    assert.equal((await before.ask("分析《海盐》的播放量", "talk")).kind, "song");
    assert.notEqual((await before.songs({ conversation: "talk" }))["focus"], undefined);
    await mkdir(environment.workingFolder, { recursive: true });
    await writeFile(join(environment.workingFolder, "灯塔-timeline.csv"), "date,streams\n2026-05-01,10\n");
    await test.run({ skill: "music-gateway", command: "import", input: { files: ["灯塔-timeline.csv"] } });
    const later = await createTestHost({ skills: SKILLS, ports: { environment } });
    try {
      const after = visitor(later);
      const known = await after.songs({ conversation: "talk" });
      assert.deepEqual([known["songs"], known["focus"]], [[], undefined]);
      assert.equal((await after.ask("分析《海盐》的播放量", "talk")).kind, "unsupported");
      assert.equal((await after.ask("分析《灯塔》的播放量", "talk")).requests, 1);
    } finally {
      await later.close();
    }
  } finally {
    await test.close();
  }
});

/** A person whose login is refused once, and renewed: the cache file holds the next token by then. */
async function renewed(
  { folder, service, host }: Harness,
  { from, to }: { readonly from: string; readonly to: string },
): ReturnType<Harness["host"]> {
  const cache = join(folder, "home", ".svc-login", "token.json");
  await mkdir(join(cache, ".."), { recursive: true });
  await writeFile(cache, JSON.stringify({ token: from, baseUrl: service.url }));
  const { answer } = service;
  service.answer = async (body, token) => {
    if (token !== from) return answer(body, token);
    await writeFile(cache, JSON.stringify({ token: to, baseUrl: service.url }));
    return refused("UNAUTHORIZED", "未登录");
  };
  return host({ token: null });
}
