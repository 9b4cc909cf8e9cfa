import assert from "node:assert/strict";
import { test } from "node:test";
import { holds, inside, sameName, throughProcess } from "./inside.ts";
import { mayRemove } from "./removers.ts";
import { endings } from "./server-endings.ts";
import { riskyVariable } from "./risky-variables.ts";
import { conductOf, isElsewhere } from "./tool-words.ts";

test("a path is inside whatever its letter case, the form of its accents or its slashes", () => {
  assert.equal(inside("/shop", "/shop/src/a.js"), "src/a.js");
  assert.equal(inside("/shop/", "/shop"), "");
  assert.equal(inside("/shop", "/shop/"), "");
  assert.equal(inside("/shop", "/shopping/a.js"), undefined);
  assert.equal(inside("/shop", "/"), undefined);
  assert.equal(inside("/Shop", "/sHOP/A.js"), "a.js");
  assert.equal(inside("/caf\u00e9", "/cafe\u0301/a.js"), "a.js");
  assert.equal(inside("C:\\shop", "C:/shop/a.js"), "a.js");
  assert.ok(holds("/", "/shop") && holds("/a", "/a/shop") && holds("/shop", "/shop"));
  assert.ok(!holds("/shop/src", "/shop") && !holds("/sho", "/shop"));
  assert.ok(sameName(".DBG", ".dbg"));
  for (const path of [
    "/proc/self/cwd/a.js",
    "/proc/12/root/shop/a.js",
    "/proc/self/task/3/cwd",
    "/proc/self/fd/3",
  ])
    assert.ok(throughProcess(path), path);
  assert.ok(!throughProcess("/proc/self/status") && !throughProcess("/shop/proc/self/cwd/a.js"));
});

test("what a tool does is taken from its name, the worst word first", () => {
  const table = {
    harmless: [
      "AskUserQuestion",
      "TodoWrite",
      "update_plan",
      "mcp__skillctl__runtime-debug_check",
      "ask_user",
    ],
    reads: [
      "mcp__files__read_text_file",
      "mcp__playwright__browser_take_screenshot",
      "mcp__context7__resolve-library-id",
      "listIssues",
    ],
    writes: [
      "mcp__files__write_file",
      "search_and_replace",
      "mcp__serena__replaceSymbolBody",
      "create-branch",
    ],
    runs: ["mcp__ide__executeCode", "run_code", "browser_run_code", "terminal"],
    unknown: ["frobnicate", "mcp__x__y", ""],
  };
  for (const [conduct, names] of Object.entries(table))
    for (const name of names) assert.equal(conductOf(name), conduct, name);
});

test("what may take the files of a session away is told from what takes others", () => {
  const may = (line: string): boolean => {
    const [name = "", ...args] = line.split(" ");
    return mayRemove({ name, args }, "sum-is-wrong");
  };
  for (const line of ["rm -rf x", "mv x y", "git clean -fdx", "git stash --all", "rsync -a --delete a b"])
    assert.ok(may(line), line);
  for (const line of ["find . -delete", "find . -name *.md -delete", "find . -name debug-* -exec rm {} +"])
    assert.ok(may(line), line);
  for (const line of [
    "find . -name *.js -o -name *.md -delete",
    "find . -path */.dbg -delete",
    "find . -name [ -delete",
  ])
    assert.ok(may(line), line);
  for (const line of ["git clean -fd", "git stash", "git checkout .", "npm install", "rsync -a a b"])
    assert.ok(!may(line), line);
  for (const line of ["find . -name *.pyc -delete", "find . -name *.md", "find . -type f"])
    assert.ok(!may(line), line);
});

test("what a service keeps is no file of the project", () => {
  for (const name of [
    "mcp__github__create_issue",
    "mcp__memory__create_entities",
    "mcp__chrome-devtools__evaluate_script",
  ])
    assert.ok(isElsewhere(name), name);
  for (const name of [
    "mcp__files__write_file",
    "mcp__x__create_pull_request_file",
    "mcp__ide__executeCode",
    "put",
  ])
    assert.ok(!isElsewhere(name), name);
});

test("variables that make programs do something else are named, and no others", () => {
  const risky = {
    GIT_DIR: "/tmp/x",
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    LD_PRELOAD: "/tmp/x.so",
    NODE_OPTIONS: "--require ./x.js",
    BASH_ENV: "x",
    GIT_EDITOR: "sed -i s/a/b/",
    PATH: "/tmp/bin:/usr/bin",
    TAR_OPTIONS: "--to-command=x",
    ZIPOPT: "-TT x",
    MAKEFLAGS: "-e",
    GNUMAKEFLAGS: "--eval=x",
    npm_config_script_shell: "/tmp/x",
    NPM_CONFIG_NODE_OPTIONS: "--require=x",
    PYTHONPATH: "/tmp/x",
    PYTHONPYCACHEPREFIX: "/tmp/x",
    NODE_V8_COVERAGE: "src",
    DEPENDENCIES_OUTPUT: "src/a.c",
    GIT_TRACE: "/shop/src/a.js",
    NODE_REDIRECT_WARNINGS: "src/a.js",
    GOFLAGS: "-toolexec=/tmp/x",
  };
  for (const [name, value] of Object.entries(risky))
    assert.equal(riskyVariable(["A=1", `${name}=${value}`]), name);
  const plain = [
    "NODE_ENV=test",
    "NODE_OPTIONS=--max-old-space-size=4096",
    "GIT_PAGER=cat",
    "PAGER=",
    "GIT_EDITOR=true",
    "PYTHONPATH=src",
    "PATH=/shop/node_modules/.bin:/usr/local/bin:$PATH",
    "DEBUG=a=b",
    "GIT_TRACE=1",
    "GOFLAGS=-mod=mod",
    "NODE_V8_COVERAGE=/tmp/x",
    "npm_config_loglevel=silent",
    "HOME=/tmp/x",
  ];
  assert.equal(riskyVariable(plain), undefined);
  assert.equal(riskyVariable(["PYTHONPATH=/shop/src:lib"], { root: "/shop" }), undefined);
  assert.equal(riskyVariable(["HOME=/tmp/x"], { programs: ["env", "git"] }), "HOME");
});

test("a pattern of many stars or groups in a command is answered at once", () => {
  const find = ["find", ".", "-name", `${"*?".repeat(20_000)}!`, "-delete"];
  assert.ok(!mayRemove({ name: "find", args: find.slice(1) }, "sum-is-wrong"));
  const decisions = (pattern: string): readonly string[] =>
    endings(
      {
        event: "tool.pre",
        shell: { programs: [{ name: "pkill", args: ["-f", pattern] }] },
      } as unknown as Parameters<typeof endings>[0],
      undefined,
      "sum-is-wrong",
    ).map(({ decision }) => decision);
  for (const pattern of ["(.+)+!", "(a|a)*$", "serve\\b", "[n]ode"])
    assert.deepEqual(decisions(pattern), ["ask"], pattern);
  for (const pattern of [
    "node",
    "NODE.*serve",
    "^node",
    "vite|skillctl",
    "detach$",
    "s.rve",
    `${".*".repeat(20_000)}serve`,
  ])
    assert.deepEqual(decisions(pattern), ["deny"], pattern.slice(0, 20));
  for (const pattern of ["vite", "server.js", "^serve", "node$", "vite|webpack"])
    assert.deepEqual(decisions(pattern), [], pattern);
});
