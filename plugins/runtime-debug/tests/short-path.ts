import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { TestContext } from "node:test";
import { sayInProcessOfItsOwn, type ProgramResult } from "../../../contract-tests/command-line.ts";
import { lastly, scratch } from "./server-harness.ts";

export const CART = `const items = [
  { name: "tea", price: 10, quantity: 1 },
  { name: "cup", price: 10, quantity: 2 },
];
let total = 0;
for (const item of items) {
  total += item.price + item.quantity;
}
console.log(total);
`;
export const HYPOTHESES = [
  "Price and quantity are added | refuted by: the sum grows by price times quantity | at cart.js:7 | log: price=item.price, pair=[item.price, item.quantity], total",
  "An item is counted twice | refuted by: each name comes once | at cart.js:7 | log: name=item.name",
  "A price is text | refuted by: the type of each price is number | at cart.js:7 | log: type=typeof item.price",
];
/** A project and the command line in it, in a separate process. */
export interface Desk {
  readonly root: string;
  readonly write: (path: string, text: string) => Promise<void>;
  /** Types a command; returns its output and its exit status. */
  readonly say: (...words: readonly string[]) => Promise<ProgramResult>;
  /** Begins a session with these hypotheses. */
  readonly start: (
    issue: string,
    hypotheses: readonly string[],
    ...more: readonly string[]
  ) => Promise<ProgramResult>;
  /** Replaces a part of a file. */
  readonly replace: (path: string, from: string, to: string) => Promise<void>;
}

/** Hypotheses that one line of the log refutes. */
export function causes(rest: string, ...texts: readonly string[]): readonly string[] {
  return texts.map((text) => `${text} | refuted by: ${rest}`);
}

/** `programs`: a folder that comes first on the path. */
export async function desk(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  programs = "",
): Promise<Desk> {
  const place = await scratch(t);
  const root = join(place, "project");
  const path = [programs, process.env["PATH"]].filter(Boolean).join(delimiter);
  const variables = { HOME: place, SKILLCTL_STATE: join(place, "state"), PATH: path };
  const write: Desk["write"] = (path, text) => writeFile(join(root, path), text);
  const say: Desk["say"] = (...words) =>
    sayInProcessOfItsOwn(["run", "runtime-debug", ...words], root, { variables });
  await mkdir(root);
  for (const [name, text] of Object.entries(files)) await write(name, text);
  lastly(t, async () => void (await say("answer", "D", "--cleanup")));
  return {
    root,
    write,
    say,
    start: (issue, hypotheses, ...more) =>
      say("start", issue, "--hypotheses", hypotheses.join("\n"), ...more),
    replace: async (path, from, to) =>
      write(path, (await readFile(join(root, path), "utf8")).replace(from, to)),
  };
}
