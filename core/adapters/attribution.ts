import { AsyncLocalStorage } from "node:async_hooks";
import { describedIn } from "../errors/skill-error.ts";
import type { Log } from "../ports/log.ts";
import type { HostedSkill } from "../skill.ts";

/** A foreign skill of a host in this process. */
interface Source {
  readonly skill: string;
  readonly folder: string;
  readonly log: Log;
}

const sources = new Set<Source>();
const running = new AsyncLocalStorage<Source>();

/** Whether a failure comes from the code of a foreign skill, and has therefore been reported. */
export function isAttributed(cause: unknown): boolean {
  return sourceOf(cause) !== undefined;
}

/** The foreign skill whose code is running. */
export function runningSkill(): string | undefined {
  return running.getStore()?.skill;
}

/**
 * Reports unhandled rejections and exceptions of foreign skills with skill, file and line, and lets the process continue.
 * All other failures are handled as they would be without this class.
 */
export class Attribution {
  readonly #log: Log;
  readonly #own = new Map<string, Source>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs code of a skill; failures of everything that it starts are attributed to the skill. */
  run<T>({ manifest: { name }, folder }: HostedSkill, action: () => T): T {
    const known = this.#own.get(folder);
    const source = known ?? { skill: name, folder, log: this.#log };
    if (!known) {
      if (sources.size === 0) listen();
      this.#own.set(folder, source);
      sources.add(source);
    }
    return running.run(source, action);
  }

  tell(sentence: string): void {
    this.#log.notice(sentence);
  }

  close(): void {
    for (const source of this.#own.values()) sources.delete(source);
    this.#own.clear();
    if (sources.size === 0) unlisten();
  }
}

function listen(): void {
  process.on("unhandledRejection", rejected).on("uncaughtException", thrown);
}

function unlisten(): void {
  process.off("unhandledRejection", rejected).off("uncaughtException", thrown);
}

/** Another rejection that no listener handles becomes an exception, as it does in Node. */
function rejected(cause: unknown): void {
  if (isReported(cause) || process.listenerCount("unhandledRejection") > 1) return;
  // An exception here would discard the other rejections of this turn.
  process.nextTick(() => {
    throw cause;
  });
}

/** Another exception that no listener handles ends the process, and Node prints it. */
function thrown(cause: unknown): void {
  if (isReported(cause) || process.listenerCount("uncaughtException") > 1) return;
  unlisten();
  process.nextTick(() => {
    throw cause;
  });
}

function isReported(cause: unknown): boolean {
  const source = sourceOf(cause);
  if (source)
    source.log.notice(`${source.skill} left a failure unhandled: ${describedIn(source.folder, cause)}`);
  return source !== undefined;
}

/** The skill whose code was running or, if Node does not know it, whose files are on the stack. */
function sourceOf(cause: unknown): Source | undefined {
  const source = running.getStore();
  if (source) return sources.has(source) ? source : undefined;
  const stack = cause instanceof Error ? (cause.stack ?? "") : "";
  return [...sources].find(({ folder }) => stack.includes(`${encodeURI(folder.replaceAll("\\", "/"))}/`));
}
