import assert from "node:assert/strict";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { claimer } from "./fixture-claim-process.ts";
import { folderFor } from "./fixture-folder.ts";
import { nodeClaims, numbered } from "./claims.ts";

const folder = (t: TestContext): string => folderFor(t).file("state");
const fresh = (t: TestContext): string => folderFor(t).path;

test("a name is held once, until it is released", async (t) => {
  const claims = nodeClaims(folder(t));
  const name = fresh(t);
  for (let round = 0; round < 3; round += 1) {
    const claim = await claims.claim(name);
    assert.ok(claim);
    assert.equal(await claims.claim(name), undefined);
    const other = await claims.claim(`${name} other`);
    assert.ok(other);
    await other.release();
    await Promise.all([claim.release(), claim.release()]);
  }
});

test("of many simultaneous claims on a name one succeeds", async (t) => {
  const claims = nodeClaims(folder(t));
  const name = fresh(t);
  for (let round = 0; round < 20; round += 1) {
    const all = await Promise.all(Array.from({ length: 12 }, () => claims.claim(name)));
    const held = all.filter((claim) => claim !== undefined);
    assert.equal(held.length, 1);
    await held[0]?.release();
  }
});

test("one of several processes holds a name and releases it when killed; a held name keeps no process alive", async (t) => {
  const place = folder(t);
  const name = fresh(t);
  const claimers = Array.from({ length: 4 }, () => claimer(place));
  await Promise.all(claimers.map(({ ready }) => ready));
  let left = claimers;
  while (left.length > 1) {
    const got = await Promise.all(left.map(({ claim }) => claim(name)));
    assert.equal(got.filter(Boolean).length, 1);
    const holder = left[got.indexOf(true)];
    assert.ok(holder);
    const closed = once(holder.process, "close");
    holder.process.kill("SIGKILL");
    await closed;
    left = left.filter((one) => one !== holder);
  }
  assert.equal(await left[0]?.claim(name), true);
  assert.equal(await left[0]?.end(), 0);
  const after = await nodeClaims(place).claim(name);
  assert.ok(after);
  await after.release();
});

const onPosix = { skip: process.platform === "win32" };

test("a folder of socket files that others can change is refused", onPosix, async (t) => {
  const state = folder(t);
  fs.mkdirSync(join(state, "claims"), { recursive: true });
  fs.chmodSync(join(state, "claims"), 0o777);
  await assert.rejects(nodeClaims(state).claim("a"), { code: "CLAIM_FAILED" });
});

test("names are held also in a state folder whose path is too long for a socket", onPosix, async (t) => {
  const state = join(folder(t), "x".repeat(120));
  const claim = await nodeClaims(state).claim("a");
  assert.ok(claim);
  assert.equal(await nodeClaims(state).claim("a"), undefined);
  await claim.release();
});

test("a process that takes an outdated number late gives way to the highest one", onPosix, async (t) => {
  const { path, file } = folderFor(t);
  for (const name of ["own", "name.5"]) fs.writeFileSync(file(name), "");
  const asked: string[] = [];
  const held = async (socket: string): Promise<boolean> => {
    asked.push(socket);
    if (asked.length > 1) return true;
    // While the 5th is examined, another process takes the 6th, and a third one the 7th.
    fs.renameSync(socket, file("name.7"));
    return false;
  };
  assert.equal(await numbered(file("own"), path, "name", held), undefined);
  assert.deepEqual(asked, [file("name.5"), file("name.7")]);
  assert.deepEqual(fs.readdirSync(path).sort(), ["name.7", "own"]);
});
