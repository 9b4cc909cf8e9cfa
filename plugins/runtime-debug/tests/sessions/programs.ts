import { spawn } from "node:child_process";
import { once } from "node:events";
import { ran, surroundings } from "../program-run.ts";

/** A place in the code, named by the line that stands after it. */
export interface Place {
  readonly file: string;
  /** The whole line without its indentation. */
  readonly before: string;
}

/** A cause that is looked into, and what looks. */
export interface Suspect {
  readonly text: string;
  readonly refutedBy: string;
  readonly point: string;
  readonly place: Place;
  /** What `probe --apply` is to report; missing where the probe is written by hand. */
  readonly data?: readonly string[];
  /** The probe as somebody writes it: ADDRESS and SESSION are filled in. */
  readonly byHand?: readonly string[];
}

/** What a program is run with. */
export interface Stage {
  /** Where it lies, and is run. */
  readonly folder: string;
  /** For what is made of it: outside of the project. */
  readonly out: string;
  /** Settles when the events of so many probes hit have been stored. */
  readonly arrived: () => Promise<void>;
}

/** A small program with one bug in it. */
export interface Program {
  readonly name: string;
  /** Its folder beside this file. */
  readonly folder: string;
  readonly tools: readonly string[];
  readonly issue: string;
  /** The first one is the cause. */
  readonly suspects: readonly [Suspect, Suspect, Suspect];
  /** How often each suspect's probe is hit in a run, at the least. */
  readonly hits: readonly [number, number, number];
  readonly fix: { readonly file: string; readonly edits: readonly (readonly [from: string, to: string])[] };
  /** Shows the bug, or that it is gone, and answers what was seen. */
  readonly run: (stage: Stage) => Promise<string>;
  readonly wrong: string;
  readonly right: string;
}

/** The standard output of a program that must end well, and its events. */
function said(...words: readonly string[]): Program["run"] {
  return async ({ folder, out, arrived }) => {
    const { status, out: text, err } = await ran(words, folder, out);
    if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${err}`);
    await arrived();
    return text;
  };
}

/** Starts the service, orders a mug three times at once, and answers the statuses. */
async function ordered({ folder, out, arrived }: Stage): Promise<string> {
  const child = spawn(process.execPath, ["service.js"], { cwd: folder, env: surroundings(out) });
  const ended = once(child, "close");
  let failed = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (failed += text));
  try {
    const listening = once(child.stdout.setEncoding("utf8"), "data") as Promise<[string]>;
    const died = ended.then(() => Promise.reject(new Error(`The service has ended: ${failed}`)));
    const [port] = await Promise.race([listening, died]);
    const body = JSON.stringify({ article: "mug", count: 1 });
    const order = async (): Promise<number> => {
      const answer = await fetch(`http://127.0.0.1:${port.trim()}/`, { method: "POST", body });
      await answer.text();
      return answer.status;
    };
    const statuses = await Promise.all([order(), order(), order()]);
    await arrived();
    return statuses.toSorted((a, b) => a - b).join(" ");
  } finally {
    child.kill("SIGKILL");
    await ended.catch(() => undefined);
  }
}

export const SERVICE: Program = {
  name: "a Node HTTP service",
  folder: "order-service",
  tools: [],
  issue: "The shop sells more mugs than it has",
  suspects: [
    {
      text: "The stock is read before another order has changed it",
      refutedBy: "left gets smaller with every order",
      point: "stock-left",
      place: { file: "service.js", before: "if (left < count) return false;" },
      data: ["left", "count", "article"],
    },
    {
      text: "The number of articles is misread",
      refutedBy: "count is 1 for each order",
      point: "order-in",
      place: { file: "service.js", before: "const reserved = await reserve(article, count);" },
      data: ["count", "kind=typeof count"],
    },
    {
      text: "A refusal of the warehouse is passed over",
      refutedBy: "reserved is never false",
      point: "order-out",
      place: {
        file: "service.js",
        before: 'if (!reserved) return { status: 409, body: { error: "sold out" } };',
      },
      byHand: [
        "// #region debug-point C:order-out",
        'fetch("ADDRESS", { method: "POST", body: JSON.stringify({ sessionId: "SESSION", hypothesisId: "C", location: "service.js:order", msg: "[DEBUG] order-out", data: { reserved } }) }).catch(() => {});',
        "// #endregion debug-point C:order-out",
      ],
    },
  ],
  hits: [3, 3, 3],
  fix: {
    file: "service.js",
    edits: [
      ["  const left = stock.get(article) ?? 0;\n", ""],
      ["  await pause(200);\n", "  await pause(200);\n  const left = stock.get(article) ?? 0;\n"],
    ],
  },
  run: ordered,
  wrong: "201 201 201",
  right: "201 201 409",
};

export const REPORT: Program = {
  name: "a Python script",
  folder: "page-report",
  tools: ["python3"],
  issue: "The report leaves out the last day",
  suspects: [
    {
      text: "A page that is not full is not counted",
      refutedBy: "count is 3 for 7 rows of 3",
      point: "page-count",
      place: {
        file: "report.py",
        before: "return [rows[at * size : (at + 1) * size] for at in range(count)]",
      },
      data: ["count", "rows=len(rows)", "size"],
    },
    {
      text: "The sum drops prices",
      refutedBy: "amount is the sum of the rows shown",
      point: "page-sum",
      place: { file: "report.py", before: "return round(amount, 2)" },
      data: ["amount", "rows=len(rows)"],
    },
    {
      text: "The size of a page is misread",
      refutedBy: "size is 3",
      point: "size",
      place: { file: "report.py", before: "pages = pages_of(SALES, size)" },
      byHand: [
        "# #region debug-point C:size",
        "try:",
        '    __import__("urllib.request").request.urlopen("ADDRESS", data=__import__("json").dumps({"sessionId": "SESSION", "hypothesisId": "C", "location": "report.py:main", "msg": "[DEBUG] size", "data": {"size": size}}).encode(), timeout=1)',
        "except Exception:",
        "    pass",
        "# #endregion",
      ],
    },
  ],
  hits: [1, 2, 1],
  fix: {
    file: "report.py",
    edits: [["    count = len(rows) // size\n", "    count = -(-len(rows) // size)\n"]],
  },
  run: said("python3", "report.py"),
  wrong: "page 1: mon tue wed = 35.75\npage 2: thu fri sat = 61.15\nall: 96.90\n",
  right: "page 1: mon tue wed = 35.75\npage 2: thu fri sat = 61.15\npage 3: sun = 4.10\nall: 101.00\n",
};

export const PROGRAMS: readonly Program[] = [SERVICE, REPORT];
