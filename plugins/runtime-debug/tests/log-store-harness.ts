import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodePorts } from "skillctl/host";
import { memoryLog } from "skillctl/testing";
import { LogStore, type LogStoreOptions } from "../store/log/log-store.ts";
import type { LogPorts } from "../store/log/open-segments.ts";

export const SESSION = "test-session";
export const VISIBLE = `svc-debug-log-${SESSION}.ndjson`;
export const REJECTED = `svc-debug-rejected-${SESSION}.ndjson`;
export const EARLIER = (number: number): string => `svc-debug-log-${SESSION}.${number}.ndjson`;

/** A folder of a test, and the books that are opened on it. */
export class BookHarness implements AsyncDisposable {
  readonly folder: string;
  readonly #open = new Set<LogStore>();

  constructor(from?: BookHarness) {
    this.folder = fs.mkdtempSync(join(tmpdir(), "log-book-"));
    if (from) fs.cpSync(from.folder, this.folder, { recursive: true });
  }

  async open(options: Partial<LogStoreOptions> = {}, ports: Partial<LogPorts> = {}): Promise<LogStore> {
    const { journals, files, clock } = nodePorts();
    const book = await LogStore.open(
      { journals, files, clock, log: memoryLog(), ...ports },
      {
        session: SESSION,
        folder: this.folder,
        durability: "process",
        keepSecrets: false,
        run: "pre-fix",
        ...options,
      },
    );
    this.#open.add(book);
    return book;
  }

  async close(book: LogStore): Promise<void> {
    this.#open.delete(book);
    await book.close();
  }

  /** Closes all books, whose files may be changed no more. */
  async abandon(): Promise<void> {
    for (const book of this.#open) await book.close().catch(() => undefined);
    this.#open.clear();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    fs.writeFileSync(this.path(name), content);
  }

  read(name: string): string {
    return fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), "utf8") : "";
  }

  /** Sorted. */
  names(): readonly string[] {
    return fs.readdirSync(this.folder).sort();
  }

  /** The objects in a file, one a line; other lines are `undefined`. */
  rows(name: string): readonly (Readonly<Record<string, unknown>> | undefined)[] {
    return this.read(name)
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        try {
          return JSON.parse(line) as Readonly<Record<string, unknown>>;
        } catch {
          return undefined;
        }
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const book of this.#open) await book.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A body of events, each with a name in `n`. */
export function body(...names: readonly (string | number)[]): Uint8Array {
  return Buffer.from(names.map((n) => `${JSON.stringify({ hypothesisId: "A", msg: "m", n })}\n`).join(""));
}

export const FROM = { source: "event" } as const;
