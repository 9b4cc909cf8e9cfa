import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Journals } from "skillctl";
import { nodePorts } from "skillctl/host";
import { memoryLog } from "skillctl/testing";
import { LogFiles } from "../store/log/log-files.ts";
import { LogStore, type LogStoreOptions } from "../store/log/log-store.ts";

export const SESSION = "test-session";
export const VISIBLE = `svc-debug-log-${SESSION}.ndjson`;
export const REJECTED = `svc-debug-rejected-${SESSION}.ndjson`;
export const EARLIER = (number: number): string => `svc-debug-log-${SESSION}.${number}.ndjson`;
export const FROM = { source: "event" } as const;

export type Row = Readonly<Record<string, unknown>> | undefined;

/** A folder of a test, and the stores that are opened on it. */
export class StoreHarness implements AsyncDisposable {
  readonly folder: string = fs.mkdtempSync(join(tmpdir(), "log-store-"));
  readonly #open = new Set<LogStore>();

  async open(options: Partial<LogStoreOptions> = {}, given?: Journals): Promise<LogStore> {
    const { journals, files, clock } = nodePorts();
    const log = new LogFiles(given ?? journals, files, this.folder, SESSION);
    const own = { keepSecrets: false, run: "pre-fix", maxBytes: 64 * 1024 * 1024 };
    const store = await LogStore.open(log, clock, memoryLog(), { ...own, durability: "process", ...options });
    this.#open.add(store);
    return store;
  }

  async close(store: LogStore): Promise<void> {
    this.#open.delete(store);
    await store.close();
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, content: string | Uint8Array): void {
    fs.writeFileSync(this.path(name), content, { mode: 0o600 });
  }

  read(name: string): string {
    return fs.existsSync(this.path(name)) ? fs.readFileSync(this.path(name), "utf8") : "";
  }

  /** Sorted. */
  names(): readonly string[] {
    return fs.readdirSync(this.folder).sort();
  }

  /** The objects in a file, one a line; other lines are `undefined`. */
  rows(name: string): readonly Row[] {
    return this.read(name)
      .split("\n")
      .slice(0, -1)
      .map((line) => {
        try {
          return JSON.parse(line) as Row;
        } catch {
          return undefined;
        }
      });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const store of this.#open) await store.close();
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A body of events, each with a name in `n`. */
export function body(...names: readonly (string | number)[]): Uint8Array {
  return Buffer.from(names.map((n) => `${JSON.stringify({ hypothesisId: "A", msg: "m", n })}\n`).join(""));
}
