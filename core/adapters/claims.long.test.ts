import assert from "node:assert/strict";
import * as fs from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { folderFor } from "./fixture-folder.ts";
import { CLAIM_CASES } from "./fixture-store-contract.ts";
import { nodeClaims, numbered } from "./claims.ts";

const folder = (t: TestContext): string => folderFor(t).file("state");

for (const [title, holds] of Object.entries(CLAIM_CASES))
  test(title, (t) =>
    holds(async () => {
      const place = folder(t);
      return { state: () => assert.fail(), claims: () => nodeClaims(place), place };
    }),
  );

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
