import assert from "node:assert/strict";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { test } from "node:test";
import { processEnvironment } from "./environment.ts";

const HOME = join("/home", "ada");
const onLinux = { skip: process.platform === "win32" || process.platform === "darwin" };

test("an empty variable counts as not set", () => {
  const { variable } = processEnvironment({ FULL: "x", EMPTY: "" }, "/project");
  assert.deepEqual(["FULL", "EMPTY", "NONE"].map(variable), ["x", undefined, undefined]);
});

test("the home folder is HOME, else USERPROFILE, else the one that the system reports", () => {
  const home = (variables: Readonly<Record<string, string>>) =>
    processEnvironment(variables, "/project").home;
  assert.equal(home({ HOME, USERPROFILE: "/users/ada" }), HOME);
  assert.equal(home({ HOME: "", USERPROFILE: "/users/ada" }), "/users/ada");
  assert.equal(home({}), homedir());
});

test("SKILLCTL_STATE names the state folder; a relative path becomes absolute", () => {
  const state = (named: string) =>
    processEnvironment({ HOME, SKILLCTL_STATE: named }, "/project").stateFolder;
  assert.equal(state(resolve("/var/skillctl")), resolve("/var/skillctl"));
  assert.equal(state("state"), resolve("/project/state"));
  assert.equal(state("./state"), resolve("/project/state"));
  assert.ok(isAbsolute(state("")));
  // The address of a database names no folder.
  for (const address of ["postgres://u@h/d", "postgresql://u@h/d", "POSTGRES://u@h/d"])
    assert.equal(state(address), state(""), address);
});

test(
  "without SKILLCTL_STATE the state folder is below XDG_STATE_HOME, or below home if that is unset or relative",
  onLinux,
  () => {
    const state = (variables: Readonly<Record<string, string>>) =>
      processEnvironment({ HOME, ...variables }, "/project").stateFolder;
    assert.equal(state({ XDG_STATE_HOME: "/state" }), "/state/skillctl");
    for (const named of ["", "state", "../state"]) {
      assert.equal(state({ XDG_STATE_HOME: named }), "/home/ada/.local/state/skillctl", named);
    }
  },
);
