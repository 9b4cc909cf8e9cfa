import { join } from "node:path";
import { SkillError } from "skillctl";
import { pause } from "../server/pause.ts";
import { AdapterSession } from "./adapter.ts";
import { Attachment } from "./attachment.ts";
import type { ObservedPoint, ObservedSession, ObserverServices } from "./observers.ts";
import type { Pass, Point, PointList, PointNote, Witness } from "./point.ts";
import { changedAt, type Texts } from "./scripts.ts";
import {
  addressOf,
  beforeFix,
  inspectorOf,
  listenerStart,
  preload,
  targetsAt,
  writtenTargets,
} from "./processes.ts";
import { placeOf, shownPlace } from "./telling.ts";

/** The program to observe, named by one of these. */
export interface ObserveTarget {
  readonly pid?: number | undefined;
  readonly inspect?: string | undefined;
  readonly adapter?: string | undefined;
  /** The folder in which a program that is started with `preload` writes its address. */
  readonly folder?: string | undefined;
}

const LOOK_MS = 500;
const FOLDER_LOOK_MS = 20;
/** The number of passes that wait for the server: beyond it, the oldest are dropped and counted. */
const MOST_WAITING = 10_000;
const MOST_A_BODY = 200;
const SEND_MS = 10_000;
/** A browser also offers targets that are not pages. */
const OBSERVED_KINDS: ReadonlySet<string> = new Set(["node", "page"]);

/** Holds the points of a session in a running program, and posts their values to the server of the session, until the program or the session ends. */
export class Observing implements Witness {
  readonly #rows = new Map<Point, ObservedPoint>();
  readonly #points: PointList;
  readonly #texts: Texts;
  readonly #held: (AdapterSession | Attachment)[] = [];
  /** The number of later points that it has taken over. */
  #taken = 0;
  #waiting: Pass[] = [];
  #lost = 0;
  #trouble: string | undefined;
  #crash: string | undefined;
  #isTold = false;
  #sending: Promise<void> | undefined;
  #url = "";
  /** When the server of the session was last seen at this address. */
  #seenAt = 0;

  constructor(
    private readonly session: ObservedSession,
    private readonly services: ObserverServices,
  ) {
    const { opened, points } = session;
    const { files, http } = services;
    this.#points = { all: [...points], gone: new Set() };
    const { root, entry } = opened;
    const paths = entry.fixes.flatMap((fix) => fix.files);
    const changed = paths.map((path) => ({ file: join(root, path), path }));
    this.#texts = { files, http, changed };
  }

  /**
   * @throws SkillError `DEBUG_NO_DEBUGGEE`, `PROGRAM_FAILED`, `USAGE` before the points are set; later failures only
   * end it.
   */
  async run(target: ObserveTarget, signal: AbortSignal): Promise<void> {
    await this.services.observers.begin(this.session.id);
    const over = new AbortController();
    const given = AbortSignal.any([signal, over.signal]);
    const telling = this.#tellState(target, over, given);
    // Its error is thrown once the points are removed.
    telling.catch(() => over.abort());
    try {
      if (target.folder === undefined) await this.#attached(target, given);
      else await this.#startedIn(target.folder, given);
    } finally {
      over.abort();
      await telling;
      await this.#sent();
    }
  }

  passed(pass: Pass): void {
    const row = this.#rows.get(pass.point);
    if (row) this.#rows.set(pass.point, { ...row, told: row.told + 1, skipped: row.skipped + pass.skipped });
    if (this.#waiting.push(pass) > MOST_WAITING) {
      this.#waiting.shift();
      this.#lost += 1;
    }
    this.#isTold = false;
    void this.#sent();
  }

  skipped(point: Point, count: number): void {
    const row = this.#rows.get(point);
    if (row) this.#rows.set(point, { ...row, skipped: row.skipped + count });
    this.#isTold = false;
  }

  noted({ point, state, sentence }: PointNote): void {
    if (this.#points.gone.has(point)) return;
    const { hypothesis, name } = point;
    const { told = 0, skipped = 0, state: before } = this.#rows.get(point) ?? {};
    // The result of one worker or frame counts, although another has not loaded the code.
    if (state === "waiting" && before !== undefined && before !== "waiting") return;
    this.#rows.set(point, { hypothesis, point: name, at: placeOf(point), state, sentence, told, skipped });
    this.#isTold = false;
  }

  troubled(sentence: string | undefined): void {
    this.#crash = sentence;
    this.#isTold = false;
  }

  async #attached({ pid, inspect, adapter }: ObserveTarget, signal: AbortSignal): Promise<void> {
    if (adapter !== undefined) {
      const [host, port] = addressOf(adapter);
      await this.services.observers.hold(`${host}:${port}`);
      const changed = await changedAt(this.#texts);
      // The listening process is the program.
      if (changed > 0 && Number(await listenerStart(port, this.services.files)) < changed) throw beforeFix();
      const session = await AdapterSession.open(host, port, this.#points, this);
      this.#held.push(session);
      await Promise.race([session.closed, aborted(signal)]);
      return session.leave();
    }
    const { address, ours } =
      pid === undefined
        ? { address: inspect ?? "", ours: false }
        : await inspectorOf(pid, this.services.files, this.services.http);
    const targets = (await targetsAt(address, this.services.http)).filter(({ kind }) =>
      OBSERVED_KINDS.has(kind),
    );
    if (targets.length === 0)
      throw new SkillError("DEBUG_NO_DEBUGGEE", `${address} offers neither a program nor a page.`, {
        hint: "Open the page, and try again.",
      });
    const attachments: Attachment[] = [];
    for (const { url } of targets) {
      await this.services.observers.hold(url);
      try {
        const opened = { ...(pid !== undefined && { pid }), ours, signal };
        attachments.push(await Attachment.open(url, this.#points, this.#texts, this, opened));
      } catch (caught) {
        // A page that cannot be observed may be unrelated to the program.
        if (url === targets.at(-1)?.url && attachments.length === 0) throw caught;
        this.services.log.notice(caught instanceof Error ? caught.message : String(caught));
      }
    }
    this.#held.push(...attachments);
    await Promise.race([Promise.all(attachments.map(({ closed }) => closed)), aborted(signal)]);
    for (const attachment of attachments) await attachment.leave(ours);
  }

  /** Attaches to a started program and its children, at the addresses that they write. */
  async #startedIn(folder: string, signal: AbortSignal): Promise<void> {
    const module = join(folder, "preload.cjs");
    await this.services.files.makeFolder(folder);
    await this.services.files.replace(module, preload(folder, process.pid));
    for (const point of this.#points.all)
      this.noted({
        point,
        state: "waiting",
        sentence: `${shownPlace(point)} waits for the program to start.`,
      });
    const known = new Map<string, Attachment>();
    const starter = process.ppid;
    // The parent removes the module after the end of the program, unless it is killed.
    while (!signal.aborted && process.ppid === starter && (await this.services.files.facts(module))) {
      for (const [pid, url] of await writtenTargets(folder, this.services.files)) {
        if (known.has(pid)) continue;
        try {
          known.set(pid, await Attachment.open(url, this.#points, this.#texts, this, { pid: Number(pid) }));
        } catch (caught) {
          if (!(caught instanceof SkillError)) throw caught;
          // The program has already ended.
          this.services.log.notice(caught.message);
        }
        await this.services.files.replace(join(folder, `${pid}.set`), "");
        await this.services.files.remove(join(folder, `${pid}.url`));
      }
      await pause(FOLDER_LOOK_MS, signal);
    }
    for (const attachment of known.values()) await attachment.leave(true);
    await this.services.files.remove(folder);
  }

  /** Stores the state of the points when it changes, and ends the observation when the session ends. */
  async #tellState(target: ObserveTarget, over: AbortController, signal: AbortSignal): Promise<void> {
    const tried = (): number => this.#rows.size + this.#points.gone.size;
    for (; ; await pause(tried() < this.#points.all.length ? FOLDER_LOOK_MS : LOOK_MS, signal)) {
      const isOver = signal.aborted;
      await this.#take();
      if (!this.#isTold || isOver) {
        this.#isTold = true;
        const trouble =
          this.#lost > 0
            ? `${this.#lost} events were dropped: no server answered`
            : (this.#crash ?? this.#trouble);
        const points = [...this.#rows.values()];
        await this.services.observers.write(this.session.opened, {
          id: this.session.id,
          pid: process.pid,
          target: nameOf(target),
          points,
          tried: tried(),
          ...(trouble !== undefined && { trouble }),
        });
      }
      if (isOver) return;
      const now = await this.services.sessions.find(this.session.opened.entry.id);
      if (!now || now.entry.state === "cleaning" || now.entry.state === "closed") over.abort();
    }
  }

  /** Takes over the points of later calls. A point replaces an earlier one of the same name in its file. */
  async #take(): Promise<void> {
    const more = (await this.services.observers.wanted(this.session.id)).slice(this.#taken);
    if (more.length === 0) return;
    this.#taken += more.length;
    const { all, gone } = this.#points;
    for (const point of all) {
      const isReplaced = more.some(
        ({ hypothesis, name, file, isRemoved }) =>
          hypothesis === point.hypothesis &&
          name === point.name &&
          (isRemoved === true || file === point.file),
      );
      if (!isReplaced) continue;
      gone.add(point);
      this.#rows.delete(point);
      this.#isTold = false;
    }
    all.push(...more.filter(({ isRemoved }) => isRemoved !== true));
    for (const one of this.#held) await one.change();
    if (this.#crash !== undefined)
      for (const point of more)
        this.noted({ point, state: "waiting", sentence: `${shownPlace(point)} waits. ${this.#crash}` });
  }

  #sent(): Promise<void> {
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.length > 0) {
      const looks = Date.now() - this.#seenAt > LOOK_MS;
      if (looks && !(await this.#findServer())) break;
      const some = this.#waiting.splice(0, MOST_A_BODY);
      const status = await this.#posted(some);
      if (status !== undefined && status < 300) {
        this.#trouble = undefined;
        continue;
      }
      this.#seenAt = 0;
      if (looks && status !== undefined && status < 500) {
        this.#trouble = `The server refuses events (status ${status}).`;
        continue;
      }
      this.#waiting.unshift(...some);
      if (looks) break;
    }
    // The waiting passes are sent with the next pass, or at the end.
    if (this.#waiting.length > 0) this.#trouble = "The debug server does not answer.";
  }

  /**
   * A killed server may run again elsewhere, and its old port may have the server of another session, which accepts any
   * event.
   */
  async #findServer(): Promise<boolean> {
    const url = await this.session.found().catch(() => undefined);
    if (url === undefined) return false;
    this.#url = url;
    this.#seenAt = Date.now();
    return true;
  }

  /** The status of the response; `undefined` without one. */
  async #posted(passes: readonly Pass[]): Promise<number | undefined> {
    try {
      const { status } = await this.services.http.send({
        method: "POST",
        url: this.#url,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(passes.map((pass) => eventOf(pass, this.session.opened.entry.id))),
        timeoutMs: SEND_MS,
        maxBytes: 64 * 1024,
      });
      return status;
    } catch {
      return undefined;
    }
  }
}

/** The name of a program: the same for each call that names it in this way. */
export function nameOf({ pid, inspect, adapter }: ObserveTarget): string {
  return pid === undefined ? (inspect ?? adapter ?? "the started program") : `process ${pid}`;
}

/** The event of a pass, in the form that probes send: docs/runtime-debug.md, section Events. */
function eventOf({ point, data, at, skipped }: Pass, session: string): object {
  return {
    sessionId: session,
    hypothesisId: point.hypothesis,
    location: placeOf(point),
    msg: `[DEBUG] ${point.name}`,
    data,
    ts: at,
    ...(skipped > 0 && { skipped }),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
