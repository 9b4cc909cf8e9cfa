import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { Durability } from "../ports/journal.ts";

/** For tests: how a process writes its journal. `hasty` acknowledges first and hands over 20 ms later. */
export interface JournalProcessOptions {
  readonly path: string;
  /** What the ids of its lines begin with. Default `w`. */
  readonly name?: string;
  /** How many wait for their own line at a time. Default 8. */
  readonly clients?: number;
  /** Lines in all. Default: until it is killed. */
  readonly count?: number;
  /** Of a line, at least. Default 350. */
  readonly bytes?: number;
  readonly durability?: Durability;
  readonly manner?: "real" | "hasty";
  /** Words before the program, such as a tracer or a shell that sets a limit. */
  readonly under?: readonly string[];
}

/** For tests: what a process told of each line, in order. */
export interface JournalHistory {
  readonly stored: readonly string[];
  /** The code by the id. */
  readonly refused: ReadonlyMap<string, string>;
}

/** For tests: a process that writes a journal. */
export interface JournalProcess {
  readonly process: ChildProcess;
  /** Settles once it has told of its first line. */
  readonly begun: Promise<unknown>;
  /** What it has told until now. */
  readonly soFar: () => JournalHistory;
  /** What it told in all, when it has ended. */
  readonly history: Promise<JournalHistory>;
}

/** For tests: starts a process whose clients write one line after another and tell what became of each. */
export function journalProcess(options: JournalProcessOptions): JournalProcess {
  const adapter = JSON.stringify(new URL("journals.ts", import.meta.url).href);
  const script = `
    import { nodeJournals } from ${adapter};
    const { path, name = "w", clients = 8, count = Infinity, bytes = 350, durability = "sync", manner } =
      JSON.parse(process.argv[1]);
    const journal = await nodeJournals.open(path, { durability });
    let next = 0;
    const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
    const hasty = async (line) => void pause(20).then(() => journal.append(line));
    const append = manner === "hasty" ? hasty : (line) => journal.append(line);
    const client = async () => {
      while (next < count) {
        const id = name + "." + next++;
        const line = JSON.stringify({ id, pad: "x".repeat(bytes) }) + "\\n";
        const told = await append(line).then(() => "ok", (error) => error.code ?? String(error));
        process.stdout.write(told + " " + id + "\\n");
        if (told !== "ok") await pause(10);
        if (manner === "hasty") await pause(1);
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    await journal.close();`;
  const { under = [], ...told } = options;
  const words = ["--conditions=@skillctl/source", "--import", import.meta.resolve("tsx")];
  const node = [process.execPath, ...words, "--input-type=module", "-e", script, JSON.stringify(told)];
  const [program = "", ...rest] = [...under, ...node];
  const child = spawn(program, rest, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (more: string) => (text += more));
  return {
    process: child,
    begun: Promise.race([once(child.stdout, "data"), once(child, "close")]),
    soFar: () => read(text),
    history: once(child, "close").then(() => read(text)),
  };
}

function read(text: string): JournalHistory {
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => line.split(" ") as [string, string]);
  return {
    stored: lines.filter(([told]) => told === "ok").map(([, id]) => id),
    refused: new Map(lines.filter(([told]) => told !== "ok").map(([code, id]) => [id, code])),
  };
}

/** For tests: the ids of the whole lines in files of a journal, one file after another; a torn last line is left out. */
export function idsIn(...paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    readFileSync(path, "utf8")
      .split("\n")
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { readonly id: string }).id),
  );
}

/** For tests: what is wrong between a history and what is stored: ids that were lost, doubled, or stored though refused. */
export function contradictions(history: JournalHistory, stored: readonly string[]): readonly string[] {
  const there = new Set(stored);
  return [
    ...history.stored.filter((id) => !there.has(id)).map((id) => `lost ${id}`),
    ...stored.filter((id, index) => stored.indexOf(id, index + 1) > 0).map((id) => `doubled ${id}`),
    ...[...history.refused.keys()].filter((id) => there.has(id)).map((id) => `refused and stored ${id}`),
  ];
}
