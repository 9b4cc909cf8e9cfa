import type { PageEvent, PageView } from "../page-view.ts";
import { Charts } from "./charts.ts";
import { byId, fill } from "#page/client/dom";
import { EventList } from "./event-list.ts";
import { QuestionForm } from "./question.ts";
import { showSession } from "./sections.ts";

/** Minimum interval between two renderings of the charts, in milliseconds. */
const CHARTS_MS = 1_000;
const HOW = "Open its whole address, with the part after #. `skillctl run runtime-debug status` prints it.";

const events = new EventList();
const charts = new Charts();
const question = new QuestionForm((answer) => post("/page/answer", answer));
let view: PageView | undefined;
let isChartDue = false;

/** Posts to the server; returns the reason of a refusal, or "". */
async function post(path: string, body: object): Promise<string> {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return "";
    const { message = "The request was refused.", hint = "" } = (await answer.json()) as Readonly<
      Record<string, string>
    >;
    return `${message} ${hint}`.trim();
  } catch {
    return "The server does not answer.";
  }
}

function closed(why: string): void {
  byId("closed").hidden = false;
  byId("open").hidden = true;
  byId("why").textContent = why;
}

function show(next: PageView | null): void {
  if (next === null) {
    const ended = view ? "The session is over." : "No running session uses this server.";
    return closed(ended);
  }
  view = next;
  byId("closed").hidden = true;
  byId("open").hidden = false;
  showSession(next, (seq) => events.show(seq));
  question.show(next);
  chartsDue();
}

function chartsDue(): void {
  if (isChartDue) return;
  isChartDue = true;
  setTimeout(() => {
    isChartDue = false;
    if (view) fill("charts", ...charts.shown(view.runs));
  }, CHARTS_MS);
}

function watch(): void {
  const source = new EventSource("/page/events");
  const heard = (name: string, use: (data: unknown) => void): void =>
    source.addEventListener(name, ({ data }: MessageEvent<string>) => use(JSON.parse(data)));
  heard("session", (data) => show(data as PageView | null));
  heard("events", (data) => {
    const more = data as readonly PageEvent[];
    events.add(more);
    charts.add(more);
    chartsDue();
  });
  heard("reset", () => {
    events.clear();
    charts.clear();
  });
  source.addEventListener("open", () => {
    byId("link").textContent = "";
  });
  source.addEventListener("error", () => {
    const isOver = source.readyState === EventSource.CLOSED;
    // The cleanup ends the server, possibly before the page is notified.
    if (view && view.steps.at(-1)?.at !== "later") {
      source.close();
      return closed("The session is over, or its server has ended.");
    }
    if (isOver && !view) closed(`This is the page of a debug session. ${HOW}`);
    else
      byId("link").textContent = isOver
        ? `The connection has ended. ${HOW}`
        : "The server does not answer; trying again.";
  });
}

async function begin(): Promise<void> {
  const key = decodeURIComponent(location.hash.slice(1));
  if (!/^[\w-]{16,}$/.test(key)) return watch();
  // Removes the key from the history and from copied addresses.
  history.replaceState(null, "", location.pathname);
  const refusal = await post("/page/key", { key });
  if (refusal === "") watch();
  else closed(refusal);
}

void begin();
