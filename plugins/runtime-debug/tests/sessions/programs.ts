import type { Program } from "./program.ts";
import { clicked } from "./task-page.ts";
import { ordered } from "./order-service.ts";
import { ran } from "../program-run.ts";

/** The standard output of a program that must end well, and its events. */
function said(...words: readonly string[]): Program["run"] {
  return async ({ folder, out, arrived }) => {
    const { status, out: text, err } = await ran(words, folder, out);
    if (status !== 0) throw new Error(`${words.join(" ")} ended with ${status}: ${err}`);
    await arrived();
    return text;
  };
}

const SERVICE: Program = {
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

const RECIPES: Program = {
  name: "a Go program",
  folder: "recipe-lists",
  tools: ["go"],
  issue: "Bread is made with semolina",
  suspects: [
    {
      text: "Lists share the memory behind their common beginning",
      refutedBy: "the list has no room beyond its beginning",
      point: "extend",
      place: { file: "main.go", before: "return list" },
      data: ["list", "room=cap(base)", "length=len(base)"],
    },
    {
      text: "The pantry holds more than it should",
      refutedBy: "items is flour and salt",
      point: "pantry",
      place: { file: "main.go", before: "return items" },
      data: ["items"],
    },
    {
      text: "A list is printed under the name of another recipe",
      refutedBy: "the name and the list belong together",
      point: "print",
      place: { file: "main.go", before: 'fmt.Printf("%s: %s\\n", recipe.Name, line)' },
      data: ["line", "name=recipe.Name"],
    },
  ],
  hits: [3, 1, 3],
  fix: {
    file: "main.go",
    edits: [
      ["\tlist := append(base, items...)\n", "\tlist := append(base[:len(base):len(base)], items...)\n"],
    ],
  },
  run: said("go", "run", "main.go"),
  wrong: "bread: flour salt semolina\ncake: flour salt semolina eggs\npasta: flour salt semolina\n",
  right: "bread: flour salt yeast\ncake: flour salt sugar eggs\npasta: flour salt semolina\n",
};

export const TRANSFERS: Program = {
  name: "a Java program",
  folder: "bank-transfers",
  tools: ["java"],
  issue: "Transfers of high account numbers are lost",
  suspects: [
    {
      text: "Numbers of accounts are compared as objects",
      refutedBy: "own is true where both numbers are the same",
      point: "own-transfer",
      place: { file: "Transfers.java", before: "if (own) {" },
      data: ["own", "number=account.number", "other=transfer.account"],
    },
    {
      text: "Rows are not read",
      refutedBy: "four transfers are read",
      point: "rows-read",
      place: { file: "Transfers.java", before: "return all;" },
      data: ["count=all.size()"],
    },
    {
      text: "The sum is lost on its way",
      refutedBy: "cents is printed as it was added up",
      point: "sum-out",
      place: { file: "Transfers.java", before: 'System.out.println(account.owner() + ": " + cents);' },
      data: ["cents"],
    },
  ],
  hits: [8, 1, 2],
  fix: {
    file: "Transfers.java",
    edits: [["transfer.account() == account.number()", "transfer.account().equals(account.number())"]],
  },
  run: said("java", "Transfers.java"),
  wrong: "Ada: 700\nGrace: 0\n",
  right: "Ada: 700\nGrace: 4300\n",
};

const TASKS: Program = {
  name: "a page in Chromium",
  folder: "task-page",
  tools: ["chromium"],
  issue: "The wrong task is taken off the list",
  suspects: [
    {
      text: "A button keeps the place that its task had at first",
      refutedBy: "at is the place of the task in the list",
      point: "task-done",
      place: { file: "tasks.js", before: "tasks.splice(at, 1);" },
      data: ["at", "tasks"],
    },
    {
      text: "The summary shows an old list",
      refutedBy: "text is the list of tasks",
      point: "summary",
      place: { file: "tasks.js", before: "summary.textContent = text;" },
      data: ["text", "tasks"],
    },
    {
      text: "A click comes twice",
      refutedBy: "one event a click",
      point: "task-removed",
      place: { file: "tasks.js", before: "item.remove();" },
      byHand: [
        "// #region debug-point C:task-removed",
        'navigator.sendBeacon("ADDRESS", JSON.stringify({ sessionId: "SESSION", hypothesisId: "C", location: "tasks.js:done", msg: "[DEBUG] task-removed", data: { at } }));',
        "// #endregion debug-point C:task-removed",
      ],
    },
  ],
  hits: [2, 3, 2],
  fix: {
    file: "tasks.js",
    edits: [
      ["  tasks.splice(at, 1);\n", "  tasks.splice(tasks.indexOf(task), 1);\n"],
      ["function done(at, item) {", "function done(at, task, item) {"],
      ["() => done(at, item)", "() => done(at, task, item)"],
    ],
  },
  run: clicked,
  wrong: "review",
  right: "release",
};

export const PROGRAMS: readonly Program[] = [SERVICE, REPORT, RECIPES, TRANSFERS, TASKS];
