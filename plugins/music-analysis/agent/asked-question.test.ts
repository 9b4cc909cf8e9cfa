import assert from "node:assert/strict";
import { test } from "node:test";
import { askedIn } from "./asked-question.ts";

const asked = (...args: readonly string[]) =>
  askedIn({
    event: "tool.pre",
    surface: "hook",
    tool: "shell",
    shell: {
      programs: [
        { name: "npx", args: ["skillctl"] },
        { name: "skillctl", args: [...args] },
      ],
      writes: [],
      reads: [],
      urls: [],
      scripts: [],
      sets: [],
      uses: [],
      unknown: [],
    },
  });

test("the question is the first word that is no flag and no command", () => {
  const rows: readonly (readonly [readonly string[], string | undefined])[] = [
    [["run", "music-analysis", "How?"], "How?"],
    [["run", "music-analysis", "ask", "How?"], "How?"],
    [["run", "music-analysis", "chat-sync", "How?", "12"], "How?"],
    [["run", "music-analysis", "--conversation", "a", "How?"], "How?"],
    [["run", "music-analysis", "--conversation=a", "--json", "How?"], "How?"],
    [["--verbose", "run", "music-analysis", "ask", "--json", "How?"], "How?"],
    [["run", "music-analysis", "ask", "ask"], "ask"],
    [["run", "music-analysis", "ask"], undefined],
    [["run", "music-analysis", ""], undefined],
    [["run", "music-analysis", '"$Q"'], undefined],
    [["run", "--json", "music-analysis", "--no-progress", "ask", "How?"], "How?"],
    [["--plugin", "music-analysis", "run", "music-analysis", "How?"], "How?"],
    [["run", "music-analysis", "--question", "How?", "--conversation", "a"], "How?"],
    [["run", "music-analysis", "chat-sync", "--song-id", "12", "--user-message=How?"], "How?"],
    [["run", "music-analysis", "ask", "--", "--how?"], "--how?"],
  ];
  for (const [words, question] of rows) assert.deepEqual(asked(...words), { question }, words.join(" "));
});

test("a word of the question or a flag's value that is called songs or -h makes no other command of it", () => {
  for (const words of [
    ["ask", "How?", "--conversation", "songs"],
    ["--conversation", "songs", "How?"],
    ["ask", "--question", "How?", "--conversation", "ask"],
    ["ask", "How?", "--", "-h"],
    ["chat-sync", "How?", "--", "--help"],
  ])
    assert.deepEqual(asked("run", "music-analysis", ...words), { question: "How?" }, words.join(" "));
  assert.deepEqual(asked("run", "music-analysis", "ask", "songs"), { question: "songs" });
  assert.deepEqual(asked("run", "music-analysis", "--question", "songs"), { question: "songs" });
  assert.deepEqual(asked("run", "music-analysis", "--", "songs"), { question: "songs" });
});

test("nothing is asked by other commands and skills", () => {
  for (const words of [
    ["run", "music-analysis", "songs"],
    ["run", "music-analysis", "--json", "songs", "--conversation", "a"],
    ["run", "music-analysis", "--help"],
    ["run", "music-analysis", "ask", "How?", "-h"],
    ["run", "login-proxy", "verify"],
    ["info", "music-analysis"],
    ["list"],
  ])
    assert.equal(asked(...words), undefined, words.join(" "));
});

test("a tool of an MCP server is asked as its input says", () => {
  const of = (name: string, input: unknown) =>
    askedIn({ event: "tool.pre", surface: "hook", tool: "mcp", name, input });
  assert.deepEqual(of("mcp__skillctl__music-analysis_ask", { question: "How?" }), { question: "How?" });
  assert.deepEqual(of("mcp__skillctl__music-analysis_ask", {}), { question: undefined });
  assert.equal(of("mcp__skillctl__music-analysis_songs", {}), undefined);
});
