import assert from "node:assert/strict";
import { test } from "node:test";
import { SongRegister } from "./song-register.ts";

test("one song named by several exports keeps one id, and versions are songs of their own", () => {
  const register = new SongRegister();
  const blue = register.idOf({ title: "Blue River", isrc: "TWA452500004" });
  assert.equal(register.idOf({ title: " blue  RIVER" }), blue);
  assert.equal(register.idOf({ title: "Another name", isrc: "TWA452500004" }), blue);
  assert.equal(register.idOf({ title: "Blue River-", isFromFileName: true }), blue + 1);
  assert.notEqual(register.idOf({ title: "Blue River (Live)" }), blue);
});

test("two ISRCs of one title are two songs, and a bare title means the first", () => {
  const register = new SongRegister();
  const first = register.idOf({ title: "晚安", isrc: "TWA452300001" });
  const second = register.idOf({ title: "晚安", isrc: "TWA452600010" });
  assert.notEqual(first, second);
  assert.equal(register.idOf({ title: "晚安" }), first);
  assert.equal(register.idOf({ title: "晚安", order: 1 }), second);
  assert.deepEqual(register.sharedTitles(), ["晚安"]);
});

test("a title out of a file name meets the real title, whichever comes first", () => {
  const register = new SongRegister();
  const fromFile = register.idOf({ title: "Where Are You_", isFromFileName: true });
  assert.equal(register.idOf({ title: "Where Are You?", isrc: "TWA452600009" }), fromFile);
  assert.deepEqual(register.songs, [{ id: 1, title: "Where Are You?", isrc: "TWA452600009" }]);
  const real = register.idOf({ title: "Paper | Planes" });
  assert.equal(register.idOf({ title: "Paper _ Planes", isFromFileName: true }), real);
});

test("a removed song's id is not given again", () => {
  const register = new SongRegister([{ id: 3, title: "海盐" }], 9);
  assert.equal(register.idOf({ title: "风筝" }), 9);
});
