import { AsyncLocalStorage } from "node:async_hooks";
import { describedIn, textOf } from "../errors/skill-error.ts";
import type { Log } from "../ports/log.ts";
import type { HostedSkill } from "../skill.ts";

/** A third-party skill of a host in this process. */
interface Source {
  readonly skill: string;
  readonly folder: string;
  readonly log: Log;
}

const sources = new Set<Source>();
/** Calls of code of third-party skills whose promises are pending, the latest last. */
const pending = new Set<{ readonly label: string; readonly source: Source }>();
/** Limits `pending`, since a promise that never settles would stay in it. */
const MOST_PENDING = 1_000;
const running = new AsyncLocalStorage<Source>();

/** Whether a failure comes from the code of a third-party skill, and has therefore been reported. */
export function isAttributed(cause: unknown): boolean {
  return sourceOf(cause) !== undefined;
}

/** The code of a third-party skill whose promise is pending; of several, the code that was called last. */
export function pendingCode(): string | undefined {
  return [...pending].at(-1)?.label;
}

/** Reports a failure of a third-party skill whose host is closed, since no host reports it, and returns the report. */
export function lateReport(
  cause: unknown,
): { readonly skill: string; readonly sentence: string } | undefined {
  const source = running.getStore();
  if (!source || sources.has(source)) return undefined;
  const sentence = reportOf(source, cause);
  source.log.notice(sentence);
  return { skill: source.skill, sentence };
}

/** The third-party skill whose code is running. */
export function runningSkill(): string | undefined {
  return running.getStore()?.skill;
}

/**
 * Reports unhandled rejections and exceptions of third-party skills with skill, file and line, and lets the process continue.
 * All other failures are handled as they would be without this class.
 */
export class Attribution {
  readonly #log: Log;
  readonly #own = new Map<string, Source>();

  constructor(log: Log) {
    this.#log = log;
  }

  /** Runs code of a skill under a label; failures of everything that it starts are attributed to the skill. */
  run<T>({ manifest: { name }, folder }: HostedSkill, label: string, action: () => T): T {
    const known = this.#own.get(folder);
    const source = known ?? { skill: name, folder, log: this.#log };
    if (!known) {
      if (sources.size === 0) listen();
      this.#own.set(folder, source);
      sources.add(source);
    }
    const answer = running.run(source, action);
    if (!(answer instanceof Promise)) return answer;
    const call = { label, source };
    pending.add(call);
    const [oldest] = pending;
    if (oldest && pending.size > MOST_PENDING) pending.delete(oldest);
    const settled = (): void => void pending.delete(call);
    answer.then(settled, settled);
    return answer;
  }

  tell(sentence: string): void {
    this.#log.notice(sentence);
  }

  close(): void {
    const own = new Set(this.#own.values());
    for (const source of own) sources.delete(source);
    for (const call of pending) if (own.has(call.source)) pending.delete(call);
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

/** Any other rejection that no listener handles becomes an exception, as in Node. */
function rejected(cause: unknown): void {
  if (isReported(cause) || process.listenerCount("unhandledRejection") > 1) return;
  // An exception here would discard the other rejections of this turn.
  process.nextTick(() => {
    throw cause;
  });
}

/** Any other exception that no listener handles ends the process, and Node prints it. */
function thrown(cause: unknown): void {
  if (isReported(cause) || process.listenerCount("uncaughtException") > 1) return;
  unlisten();
  process.nextTick(() => {
    throw cause;
  });
}

function isReported(cause: unknown): boolean {
  const source = sourceOf(cause);
  if (source) source.log.notice(reportOf(source, cause));
  return source !== undefined;
}

const UNHANDLED = "did not handle a failure:";

function reportOf({ skill, folder }: Source, cause: unknown): string {
  return `${skill} ${UNHANDLED} ${describedIn(folder, cause)}`;
}

/** Whether a notice is the report of a failure that no code handled. */
export function isUnhandledReport(notice: string): boolean {
  return notice.includes(UNHANDLED);
}

/** The skill whose code was running or, if Node does not know it, whose files are on the stack. */
function sourceOf(cause: unknown): Source | undefined {
  const source = running.getStore();
  if (source) return sources.has(source) ? source : undefined;
  const stack = cause instanceof Error ? (textOf(cause, "stack") ?? "") : "";
  return [...sources].find(({ folder }) => stack.includes(`${encodeURI(folder.replaceAll("\\", "/"))}/`));
}
