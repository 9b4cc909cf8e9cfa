import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** An event that a test sends: found again by its number. */
export interface Sent {
  readonly number: number;
  readonly connection: number;
  readonly body: string;
}

/** The requests of a test, and their responses. Connections send one event after the other. */
export class History {
  readonly acknowledged = new Set<number>();
  /** Answered with another status than 200. */
  readonly refused = new Set<number>();
  #count = 0;

  /** The data of every event. */
  constructor(readonly filling: string | readonly string[] = "x".repeat(60)) {}

  get sent(): number {
    return this.#count;
  }

  next(connection = 0): Sent {
    const number = (this.#count += 1);
    const event = { n: number, c: connection, hypothesisId: "A", msg: "[DEBUG] probe", data: this.filling };
    return { number, connection, body: JSON.stringify(event) };
  }

  note({ number }: Sent, status: number): void {
    (status === 200 ? this.acknowledged : this.refused).add(number);
  }

  /** Compares the log files of a folder with this history. */
  async verdict(folder: string): Promise<Verdict> {
    const texts = await Promise.all((await logFiles(folder)).map((path) => readFile(path, "utf8")));
    const found = new Map<number, number>();
    const [latest, torn, unknown] = [new Map<number, number>(), [] as string[], [] as number[]];
    let [lastSeq, misordered] = [0, 0];
    for (const line of texts.join("").split("\n")) {
      if (line === "") continue;
      const event = parsed(line);
      if (event === undefined) {
        torn.push(line.slice(0, 80));
        continue;
      }
      const { n, c = 0, _seq = lastSeq + 1 } = event;
      if (_seq <= lastSeq) misordered += 1;
      lastSeq = _seq;
      if (n === undefined) continue;
      if (n > this.#count) unknown.push(n);
      if (n <= (latest.get(c) ?? 0)) misordered += 1;
      latest.set(c, n);
      found.set(n, (found.get(n) ?? 0) + 1);
    }
    return {
      lost: [...this.acknowledged].filter((number) => !found.has(number)),
      twice: [...found].filter(([, times]) => times > 1).map(([number]) => number),
      refusedAndKept: [...this.refused].filter((number) => found.has(number)),
      torn,
      unknown,
      misordered,
    };
  }
}

/** The faults of a log; it is sound if each list is empty. */
export interface Verdict {
  /** Acknowledged events that are not in it. */
  readonly lost: readonly number[];
  readonly twice: readonly number[];
  /** Answered with an error, but stored. */
  readonly refusedAndKept: readonly number[];
  /** Beginnings of lines that are not JSON objects. */
  readonly torn: readonly string[];
  /** Numbers that were never sent. */
  readonly unknown: readonly number[];
  /** The number of events out of order, by the order of their connection or by the server's `_seq`. */
  readonly misordered: number;
}

/** The verdict on a sound log. */
export const FLAWLESS: Verdict = {
  lost: [],
  twice: [],
  refusedAndKept: [],
  torn: [],
  unknown: [],
  misordered: 0,
};

/** The log files of the session, oldest first, the visible one last. */
export async function logFiles(folder: string): Promise<string[]> {
  const name = /^svc-debug-log-fault-test(?:\.(\d+))?\.ndjson$/;
  const found = (await readdir(folder)).flatMap((file) => {
    const match = name.exec(file);
    return match === null ? [] : [{ file, at: match[1] === undefined ? Infinity : Number(match[1]) }];
  });
  return found.sort((a, b) => a.at - b.at).map(({ file }) => join(folder, file));
}

interface Line {
  readonly n?: number;
  readonly c?: number;
  readonly _seq?: number;
}

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
