/**
 * Where the login program in the box keeps its refresh token: real files, and a stand-in for the package of the key
 * ring. What this machine's own key ring does is seen in oauth-refresh.test.ts, where the file takes over.
 */
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { nodeFiles } from "../../../core/adapters/files.ts";
import { memoryLog } from "../../../core/testing/memory-log.ts";
import { testEnvironment } from "../../../core/testing/test-environment.ts";
import { systemKeyRing, type LoadKeyring } from "../oauth/key-ring.ts";
import { RefreshStore, type KeptLogin } from "../oauth/refresh-store.ts";
import { FakeKeyring } from "./fake-keyring.ts";

const LOGIN: KeptLogin = { issuer: "https://id.example/", clientId: "skillctl", refreshToken: "canary-one" };
const LATER: KeptLogin = { ...LOGIN, refreshToken: "canary-two" };

/** A store, and what is around it. */
class Place {
  readonly keyring = new FakeKeyring();
  readonly log = memoryLog();
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Place> {
    return new Place(await mkdtemp(join(tmpdir(), "skillctl-store-")));
  }

  /** The store as a new process has it. */
  store(load: LoadKeyring = this.keyring.load): RefreshStore {
    return new RefreshStore(nodeFiles, testEnvironment(this.folder), this.log, systemKeyRing(load, 50));
  }

  get file(): string {
    return join(this.folder, "home", ".svc-login", "refresh.json");
  }

  async kept(): Promise<unknown> {
    return JSON.parse(await readFile(this.file, "utf8"));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

describe("a key ring that works", () => {
  test("is tried with an entry of its own, then holds the refresh token; the file only remembers that", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    assert.deepEqual(place.keyring.calls, ["write", "read", "delete", "write"]);
    assert.deepEqual([...place.keyring.entries], [[place.file, JSON.stringify(LOGIN)]]);
    assert.deepEqual(await place.kept(), { store: "keyring" });
    assert.deepEqual(await place.store().read(), LOGIN);
  });

  test("is not tried again by later processes", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    place.keyring.calls.length = 0;
    await place.store().save(LATER);
    assert.deepEqual(place.keyring.calls, ["write"]);
    assert.deepEqual(await place.store().read(), LATER);
  });

  test("loses the entry, and the file goes, when the login is forgotten", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    await place.store().erase();
    assert.deepEqual([...place.keyring.entries], []);
    assert.equal(await nodeFiles.facts(place.file), undefined);
    assert.equal(await place.store().read(), undefined);
  });

  test("that holds an entry of somebody else yields none", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    for (const text of ["no JSON", "null", '{"issuer":"https://id.example/"}']) {
      place.keyring.entries.set(place.file, text);
      assert.equal(await place.store().read(), undefined);
    }
  });
});

describe("without a key ring that works", () => {
  const troubles: readonly (readonly [string, (place: Place) => LoadKeyring])[] = [
    ["the package is not installed", () => () => Promise.reject(new Error("Cannot find package"))],
    ["it is locked", ({ keyring }) => ((keyring.trouble = () => "locked"), keyring.load)],
    ["it does not answer", ({ keyring }) => ((keyring.trouble = () => "silent"), keyring.load)],
    [
      "it does not answer when it is read",
      ({ keyring }) => ((keyring.trouble = (call) => (call === "read" ? "silent" : undefined)), keyring.load),
    ],
  ];
  for (const [what, load] of troubles) {
    test(`the refresh token is in the file, which nobody needs to hear of: ${what}`, async () => {
      await using place = await Place.make();
      await place.store(load(place)).save(LOGIN);
      assert.deepEqual(await place.kept(), { store: "file", ...LOGIN });
      assert.deepEqual(await place.store().read(), LOGIN);
      assert.equal(place.keyring.entries.has(place.file), false);
      assert.deepEqual(place.log.notices, []);
    });
  }

  test("that is remembered: a key ring that appears later is not asked", async () => {
    await using place = await Place.make();
    place.keyring.trouble = () => "locked";
    await place.store().save(LOGIN);
    place.keyring.trouble = () => undefined;
    place.keyring.calls.length = 0;
    await place.store().save(LATER);
    assert.deepEqual(place.keyring.calls, []);
    assert.deepEqual(await place.kept(), { store: "file", ...LATER });
  });
});

describe("a key ring that has worked and does not any more", () => {
  test("does not lose a fresh refresh token: the file takes over, and the person is told", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    place.keyring.trouble = () => "locked";
    await place.store().save(LATER);
    assert.deepEqual(await place.kept(), { store: "file", ...LATER });
    assert.deepEqual(place.log.notices, [
      "The key ring did not take the refresh token: The key ring is locked.",
    ]);
  });

  test("is told of when it is read, and nothing is forgotten", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    place.keyring.trouble = () => "silent";
    assert.equal(await place.store().read(), undefined);
    assert.deepEqual(place.log.notices, [
      "The key ring cannot be read: The key ring did not answer within 0.05 s.",
    ]);
    place.keyring.trouble = () => undefined;
    assert.deepEqual(await place.store().read(), LOGIN);
  });

  test("is told of when the login is forgotten, and the file goes all the same", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    place.keyring.trouble = () => "locked";
    await place.store().erase();
    assert.deepEqual(place.log.notices, [
      "The refresh token cannot be deleted from the key ring: The key ring is locked.",
    ]);
    assert.equal(await nodeFiles.facts(place.file), undefined);
  });
});

describe("a key ring that takes the refresh token, but says so too late", () => {
  test("does not keep it beyond a logout", async () => {
    await using place = await Place.make();
    await place.store().save(LOGIN);
    place.keyring.trouble = (call) => (call === "write" ? "silent" : undefined);
    await place.store().save(LATER);
    place.keyring.entries.set(place.file, JSON.stringify(LATER));
    assert.deepEqual(await place.kept(), { store: "file", ...LATER });
    await place.store().erase();
    assert.deepEqual([...place.keyring.entries], []);
  });

  test("is not spoken of at a logout where there is none", async () => {
    await using place = await Place.make();
    const none: LoadKeyring = () => Promise.reject(new Error("Cannot find package"));
    await place.store(none).save(LOGIN);
    await place.store(none).erase();
    assert.deepEqual(place.log.notices, []);
    assert.equal(await nodeFiles.facts(place.file), undefined);
  });
});

describe("a file of the refresh token that cannot be used", () => {
  test("counts as none", async () => {
    for (const text of ["", "{", "null", "[]", '{"store":"file"}', '{"store":"file","refreshToken":7}']) {
      await using place = await Place.make();
      await place.store().save(LOGIN);
      await writeFile(place.file, text);
      assert.equal(
        await place.store(() => Promise.reject(new Error("none"))).read(),
        undefined,
        JSON.stringify(text),
      );
    }
  });

  test("is not read when it is larger than any login", async () => {
    await using place = await Place.make();
    await place.store(() => Promise.reject(new Error("none"))).save(LOGIN);
    await writeFile(place.file, JSON.stringify({ store: "file", ...LOGIN, more: "x".repeat(70_000) }));
    assert.equal(await place.store().read(), undefined);
    assert.match(place.log.notices[0] ?? "", /refresh\.json is a link, or not what a login has written\.$/);
  });
});
