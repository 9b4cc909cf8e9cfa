/** An event as a program of this folder sends it, and what is to be known of it beside. */
export interface Sent {
  readonly event: Readonly<Record<string, unknown>>;
  /** As stored in `_run`. Default `pre-fix`. */
  readonly run?: string;
  /** In the header that names a session. */
  readonly session?: string;
  /** Default `event`. */
  readonly source?: string;
  /** What the line holds letter for letter. */
  readonly text?: string;
}

/** A program in some language, and the events that it reports. */
export interface Language {
  readonly name: string;
  readonly tools: readonly string[];
  /** Words that make the program; `{out}` is a folder of its own. Default: nothing is to be made. */
  readonly build?: readonly string[];
  readonly run: readonly string[];
  /** How many requests it makes; each one's status is a line of its output. */
  readonly requests: number;
  readonly sent: readonly Sent[];
  /** It sends no Host, which only a server on loopback lets pass. */
  readonly hostless?: boolean;
}

const SESSION = "login-timeout";
const TS = 1766000000000;
const text = '"quoted" back\\slash Ünïcödé 日本語 🐞';
const LOGIN = { msg: "[DEBUG] login" } as const;
const DONE: Sent = { event: { msg: "done" } };
const CURSOR = { location: "cart.js:total", message: "cart total", data: { items: [1, 2, 3] } } as const;
const NAMED = {
  sessionId: "debug-session",
  runId: "run1",
  hypothesisId: "A,D",
  id: "log_1766000000001_ab12",
} as const;

/** The first event of most programs, its keys in the order of upstream's templates. */
function login(
  runId: unknown,
  hypothesisId: unknown,
  location: string,
  data: Readonly<Record<string, unknown>>,
  ts: unknown = TS,
): Sent["event"] {
  return { sessionId: SESSION, runId, hypothesisId, location, ...LOGIN, data: { text, ...data }, ts };
}

function messages(...names: readonly string[]): readonly Sent[] {
  return names.map((msg) => ({ event: { msg } }));
}

export const LANGUAGES: readonly Language[] = [
  {
    name: "Node with fetch and http",
    tools: ["node"],
    run: ["node", "node.cjs"],
    requests: 5,
    sent: [
      { event: login("pre", "A", "login.js:12", { count: 3, ratio: 0.5, ok: true, none: null }) },
      { event: { ...CURSOR, timestamp: TS + 1, ...NAMED }, source: "ingest" },
      { event: { ...CURSOR, timestamp: TS + 1 }, session: "4f2a91", source: "ingest" },
      ...messages("first", "first, again", "second", "second, again"),
    ],
  },
  {
    name: "Python with urllib",
    tools: ["python3"],
    run: ["python3", "python.py"],
    requests: 2,
    sent: [
      {
        event: login(
          "post",
          ["A", "C"],
          "login.py:check",
          { count: 3, ratio: 1, ok: true, none: null },
          "2026-07-01T12:00:00.123456+02:00",
        ),
        run: "post-fix",
        text: '"count": 3, "ratio": 1.0, "ok": true',
      },
      { event: { event: "done", seq: 2 } },
    ],
  },
  {
    name: "Perl with a socket and HTTP/1.0",
    tools: ["perl"],
    run: ["perl", "perl.pl"],
    requests: 2,
    hostless: true,
    sent: [
      {
        event: {
          data: { count: 3, text },
          hypothesisId: "B",
          location: "login.pl:12",
          ...LOGIN,
          runId: "pre-fix",
          sessionId: SESSION,
          ts: TS,
        },
      },
      DONE,
    ],
  },
  {
    name: "a shell with curl",
    tools: ["sh", "curl"],
    run: ["sh", "shell.sh"],
    requests: 5,
    sent: [
      {
        event: {
          sessionId: SESSION,
          runId: "pre-fix",
          hypothesisId: "A-D",
          location: "login.sh:8",
          ...LOGIN,
          data: { text },
        },
      },
      { event: { msg: "expected", data: { long: "7".padStart(2000, "0") } } },
      ...messages("in pieces", "line 1", "line 2", "line 3", "old"),
    ],
  },
  {
    name: "Java with HttpURLConnection",
    tools: ["javac", "java"],
    build: ["javac", "-encoding", "UTF-8", "-d", "{out}", "Java.java"],
    run: ["java", "-XX:TieredStopAtLevel=1", "-cp", "{out}", "Java"],
    requests: 2,
    sent: [
      { event: login("post-fix3", "H5", "Login.java:31", { count: 3 }), run: "post-fix3" },
      ...messages("in pieces"),
    ],
  },
  {
    name: "C with a socket",
    tools: ["cc"],
    build: ["cc", "-o", "{out}/program", "c.c"],
    run: ["{out}/program"],
    requests: 2,
    sent: [{ event: login("pre", "C", "login.c:31", { pointer: "0x1000" }) }, DONE],
  },
  {
    name: "Rust with a stream that is kept",
    tools: ["rustc"],
    build: ["rustc", "--edition", "2021", "-o", "{out}/program", "rust.rs"],
    run: ["{out}/program"],
    requests: 2,
    sent: [{ event: login("pre-fix", "D", "login.rs:21", { nested: [[{}]] }) }, DONE],
  },
  {
    name: "PHP with a stream over HTTP",
    tools: ["php"],
    run: ["php", "php.php"],
    requests: 2,
    sent: [{ event: login("pre-fix", "B,C,E", "Login.php/check", { empty: [] }) }, DONE],
  },
  {
    name: "Ruby with net/http",
    tools: ["ruby"],
    run: ["ruby", "ruby.rb"],
    requests: 2,
    sent: [{ event: { ...login(TS, "A", "login.rb:9", { ratio: 1e20 }), traceId: "request-1" } }, DONE],
  },
  {
    name: "Go with net/http",
    tools: ["go"],
    build: ["go", "build", "-o", "{out}/program", "go.go"],
    run: ["{out}/program"],
    requests: 2,
    sent: [
      {
        event: {
          data: { html: "<b>&</b>", text },
          hypothesisId: "A",
          location: "login.go:31",
          ...LOGIN,
          runId: "post-fix",
          sessionId: SESSION,
          ts: TS,
        },
        run: "post-fix",
        text: String.raw`"html":"\u003cb\u003e\u0026\u003c/b\u003e"`,
      },
      DONE,
    ],
  },
  {
    name: "Lua with its socket library",
    tools: ["lua"],
    run: ["lua", "lua.lua"],
    requests: 2,
    sent: [{ event: login("pre", "E", "login.lua", {}) }, DONE],
  },
  {
    name: "Tcl with its package http",
    tools: ["tclsh"],
    run: ["tclsh", "tcl.tcl"],
    requests: 2,
    sent: [{ event: login("pre", "F", "login.tcl:22", {}) }, DONE],
  },
];
