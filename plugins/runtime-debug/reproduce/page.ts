import { setTimeout as pause } from "node:timers/promises";
import { SkillError, type Http, type Programs } from "skillctl";
import WebSocket from "ws";
import { InspectorSession, type Incoming, type Message } from "../observe/inspector.ts";
import { addressOf } from "../observe/processes.ts";
import { runCommand, type CommandEnd } from "./command-run.ts";
import { Output } from "./output.ts";

/** How a page shows the bug. */
export interface PageRun {
  readonly url: string;
  /** A script that runs in the page once it is loaded; a promise that it returns is awaited. */
  readonly act?: string;
  /** Time limit in seconds. */
  readonly limitS: number;
  readonly signal: AbortSignal;
  /** Receives the text and the reports of the page. */
  readonly told: (text: string) => void;
}

/** Time limits for a browser to listen, and to respond, in milliseconds. */
const OPEN_MS = 30_000;
/**
 * A page is complete after the first time, in milliseconds, without requests and reports, or after the second in any
 * case.
 */
const QUIET_MS = 300;
const BUSY_MS = 5_000;
const LOOK_MS = 50;
const NAMES = "chromium chromium-browser google-chrome google-chrome-stable chrome";
/** Uses a temporary profile. Chromium has no sandbox for root. */
const BROWSER = `d=$(mktemp -d) || exit; trap 'rm -rf "$d"' EXIT; trap exit TERM INT
for b in ${NAMES}; do command -v $b >/dev/null && break; b=; done
[ "$b" ] || { echo 'No Chromium is on PATH.' >&2; exit 127; }
[ "$(id -u)" = 0 ] && set -- --no-sandbox
$b "$@" --headless --disable-gpu --no-first-run --remote-debugging-port=0 --user-data-dir="$d" about:blank`;
const SHOWN = "[document.title, document.body?.innerText ?? ''].join('\\n')";

/**
 * Runs a browser for the duration of an action. @throws SkillError `PROGRAM_FAILED` if none is
 * found or it does not listen
 */
export async function withBrowser<T>(
  programs: Programs,
  signal: AbortSignal,
  work: (address: string) => Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const both = AbortSignal.any([signal, over.signal]);
  const output = new Output();
  let isOver = false;
  const browser = runCommand(programs, { command: BROWSER, limitS: 3_600, signal: both, told: output.take })
    .catch(() => undefined)
    .finally(() => (isOver = true));
  try {
    const late = performance.now() + OPEN_MS;
    for (;;) {
      const [, address] = /DevTools listening on ws:\/\/([^/\s]{1,100})/.exec(output.text) ?? [];
      if (address !== undefined) return await work(address);
      if (isOver || performance.now() > late || signal.aborted)
        throw new SkillError("PROGRAM_FAILED", `No browser has been started${output.last()}.`, {
          hint: "Install Chromium, or start yours with --remote-debugging-port=9222 and name it: --inspect 127.0.0.1:9222.",
        });
      await pause(LOOK_MS);
    }
  } finally {
    over.abort();
    await browser;
  }
}

/**
 * Loads a page in a separate tab, without the browser's cache, and waits until it is quiet. The status is 1 after an uncaught
 * exception or a report by `console.error` or `console.assert`, otherwise 0. @throws SkillError `USAGE` for another machine,
 * `PROGRAM_FAILED` if no browser responds or the address is unreachable, `CANCELLED`
 */
export async function visit(address: string, run: PageRun, http: Http): Promise<CommandEnd> {
  const { url, act, limitS, signal, told } = run;
  const began = performance.now();
  const late = began + limitS * 1_000;
  const tab = await newTab(address, http);
  const socket = new WebSocket(tab.url, { perMessageDeflate: false, handshakeTimeout: OPEN_MS });
  const session = new InspectorSession((message) => socket.send(JSON.stringify(message)));
  socket.on("message", (text: Buffer) => session.receive(JSON.parse(text.toString()) as Incoming));
  socket.on("error", () => socket.terminate()).on("close", () => session.end());
  const page = new Heard(session);
  const ended = new AbortController();
  const stop = AbortSignal.any([signal, ended.signal]);
  const limit = pause(limitS * 1_000, undefined, { signal: stop }).catch(() => undefined);
  try {
    await new Promise<void>((resolve, reject) => {
      socket.once("open", () => resolve()).once("close", () => reject(unanswered(tab.host)));
    });
    for (const domain of ["Page", "Runtime", "Log", "Network"]) await session.call(`${domain}.enable`);
    await session.call("Network.setCacheDisabled", { cacheDisabled: true });
    await Promise.race([limit, page.load(url, act)]);
    const quiet = Math.min(late, performance.now() + BUSY_MS);
    while (!page.isQuiet() && performance.now() < quiet && !signal.aborted) await pause(LOOK_MS);
    const isLate = performance.now() >= late;
    // A page that hangs does not answer.
    const shown = isLate ? "" : await Promise.race([limit, page.shown()]);
    told([shown ?? "", ...page.lines, ""].join("\n"));
    if (signal.aborted)
      throw new SkillError("CANCELLED", `The call was cancelled while the page was open: ${url}`);
    const status = isLate ? undefined : page.isFailing ? 1 : 0;
    return { status, isLate, ms: performance.now() - began, says: endOf(page, isLate, limitS) };
  } finally {
    ended.abort();
    socket.terminate();
    const close = `http://${tab.host}/json/close/${tab.id}`;
    await http.send({ method: "GET", url: close, ...LIMITS }).catch(() => undefined);
  }
}

function endOf({ thrown, reported }: Heard, isLate: boolean, limitS: number): string {
  if (isLate) return `was closed after ${limitS} s (--timeout)`;
  const of = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
  return `threw ${of(thrown, "uncaught exception")} and reported ${of(reported, "console error")}`;
}

const LIMITS = { timeoutMs: OPEN_MS, maxBytes: 1024 * 1024 };

async function newTab(address: string, http: Http): Promise<{ host: string; id: string; url: string }> {
  const host = addressOf(address).join(":");
  try {
    const { body } = await http.send({ method: "PUT", url: `http://${host}/json/new`, ...LIMITS });
    const { id, webSocketDebuggerUrl: url } = JSON.parse(body) as Readonly<Record<string, unknown>>;
    if (typeof id === "string" && typeof url === "string") return { host, id, url };
  } catch {
    // Not there, or no browser.
  }
  throw unanswered(host);
}

function unanswered(host: string): SkillError {
  return new SkillError("PROGRAM_FAILED", `No browser answers at ${host}.`, {
    hint: "Start it with --remote-debugging-port=9222 and its own --user-data-dir.",
  });
}

/** The requests and reports of a page. */
class Heard {
  readonly lines: string[] = [];
  thrown = 0;
  reported = 0;
  #asked = 0;
  #last = performance.now();
  #loaded: () => void = () => undefined;

  constructor(private readonly session: InspectorSession) {
    session.on("Page.loadEventFired", () => this.#loaded());
    session.on("Runtime.exceptionThrown", ({ exceptionDetails }) => this.#threw(exceptionDetails as Message));
    session.on("Runtime.consoleAPICalled", ({ type, args, stackTrace }) => {
      const isError = type === "error" || type === "assert";
      if (isError) this.reported += 1;
      const values = (args as readonly Message[]).map(({ value, description }) => value ?? description);
      this.#tell(
        `console.${String(type)}: ${values.map(String).join(" ")}${isError ? placeOf(stackTrace) : ""}`,
      );
    });
    session.on("Log.entryAdded", ({ entry }) => {
      const { level, text, url } = entry as Message;
      // The browser itself requests the favicon of the tab.
      if (level === "error" && !String(url).endsWith("/favicon.ico"))
        this.#tell(`browser: ${textOf(text)} ${textOf(url)}`);
    });
    session.on(
      "Page.javascriptDialogOpening",
      () => void session.call("Page.handleJavaScriptDialog", { accept: true }).catch(() => undefined),
    );
    session.on("Network.requestWillBeSent", () => this.#ask(1));
    for (const event of ["loadingFinished", "loadingFailed"])
      session.on(`Network.${event}`, () => this.#ask(-1));
  }

  get isFailing(): boolean {
    return this.thrown + this.reported > 0;
  }

  isQuiet(): boolean {
    return this.#asked <= 0 && performance.now() - this.#last > QUIET_MS;
  }

  async load(url: string, act?: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => (this.#loaded = resolve));
    const { errorText } = await this.session.call("Page.navigate", { url });
    if (typeof errorText === "string" && errorText !== "")
      throw new SkillError("PROGRAM_FAILED", `The page ${url} cannot be loaded: ${errorText}.`);
    await loaded;
    if (act === undefined) return;
    const wish = { expression: act, awaitPromise: true, userGesture: true };
    const { exceptionDetails } = await this.session.call("Runtime.evaluate", wish);
    if (exceptionDetails) this.#threw(exceptionDetails as Message);
    this.#last = performance.now();
  }

  /** Title and text. */
  async shown(): Promise<string> {
    const { result } = await this.session.call("Runtime.evaluate", {
      expression: SHOWN,
      returnByValue: true,
    });
    return textOf((result as Message)["value"]);
  }

  #threw({ text, exception, stackTrace }: Message): void {
    this.thrown += 1;
    const { description, value = text } = (exception ?? {}) as Message;
    this.#tell(
      `Uncaught ${textOf(description ?? value)}${description === undefined ? placeOf(stackTrace) : ""}`,
    );
  }

  #tell(line: string): void {
    this.lines.push(line.slice(0, 2_000));
    this.#last = performance.now();
  }

  #ask(count: number): void {
    this.#asked += count;
    this.#last = performance.now();
  }
}

/** ` at total (http://127.0.0.1:3000/cart.js:7)`; nothing without a place. */
function placeOf(stackTrace: unknown): string {
  const [frame] = ((stackTrace as Message | undefined)?.["callFrames"] ?? []) as readonly Message[];
  if (!frame) return "";
  const { functionName, url, lineNumber } = frame;
  return ` at ${String(functionName) || "the script"} (${String(url)}:${Number(lineNumber) + 1})`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
