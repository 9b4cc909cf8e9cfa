import {
  FILES,
  HTTP,
  inject,
  injectable,
  LOG,
  quotedName,
  SkillError,
  token,
  type Environment,
  type Files,
  type Http,
  type HttpResponse,
  type Log,
} from "skillctl";
import { SESSION, type SessionHolder } from "../open-session.ts";
import { requestOf } from "../otlp/log-records.ts";
import { refuseOther } from "../session-files.ts";
import { objectOf, type LogEvent } from "../store/log/log-lines.ts";
import type { LogStore } from "../store/log/log-store.ts";
import { select } from "../store/read/selection.ts";
import { pause } from "./pause.ts";
import { isServing } from "./server-call.ts";

/** Interval between reads of the log, in milliseconds. */
const LOOK_MS = 150;
/** Limits of a request: events, and their stored bytes (as OTLP JSON about three times as many). */
const MOST_EVENTS = 500;
const MOST_BYTES = 256 * 1024;
/** Timeouts of a request and of the last one before the server ends, in milliseconds. */
const [REQUEST_MS, LAST_MS] = [10_000, 400];
/** The first and the longest pause after a failure, and the longest that a collector may request, in milliseconds. */
const [FIRST_WAIT_MS, LONGEST_WAIT_MS, LONGEST_ASKED_MS] = [500, 30_000, 300_000];
const MAX_ANSWER_BYTES = 64 * 1024;
/** Statuses that refuse the data of a request. */
const BAD_DATA = [400, 413];

/** The target of forwarding. */
interface Collector {
  /** The address for log records. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Parses the address of `--otlp`, which has the form of OTEL_EXPORTER_OTLP_ENDPOINT. @throws SkillError `USAGE` */
export function collectorOf(given: string, environment: Environment): Collector {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !["http:", "https:"].includes(url.protocol) || url.username + url.password !== "")
    throw new SkillError("USAGE", "--otlp is not an address that starts with http:// or https://.", {
      hint: "Name the collector: --otlp http://127.0.0.1:4318. Put its key in OTEL_EXPORTER_OTLP_HEADERS.",
    });
  if (!url.pathname.endsWith("/v1/logs")) url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/logs`;
  const pairs = (environment.variable("OTEL_EXPORTER_OTLP_HEADERS") ?? "").split(",").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim(), decoded(value.join("=").trim())] as const;
  });
  return { url: url.href, headers: Object.fromEntries(pairs.filter(([name]) => name !== "")) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Forwards the events of the served session to an OpenTelemetry collector. */
@injectable()
export class Forwarder {
  #forwarding: Forwarding | undefined;

  constructor(
    @inject(SESSION) private readonly session: SessionHolder,
    @inject(HTTP) private readonly http: Http,
    @inject(FILES) private readonly files: Files,
    @inject(LOG) private readonly log: Log,
  ) {}

  /**
   * Compares the server at the address with this one. A cycle through other servers is detected with the first event.
   * @throws SkillError `USAGE` if it is the server that starts
   */
  async check({ url }: Collector, instance: string): Promise<void> {
    if (await isServing({ url: new URL(url).origin, instance }, this.http))
      throw new SkillError("USAGE", `--otlp ${new URL(url).origin} is the address of this server itself.`, {
        hint: "Name the address of a collector, or leave out --otlp.",
      });
  }

  /**
   * Sends stored and new events after the last one that this collector has acknowledged. The log is the queue.
   * @param file the visible log
   * @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE`
   */
  async start(collector: Collector, file: string): Promise<Forwarding> {
    const path = `${file}.sent`;
    await refuseOther(path, "file", this.files);
    // The address without its query, which may contain a key.
    const { origin, pathname } = new URL(collector.url);
    const address = `${origin}${pathname}`;
    const { url, seq } = objectOf((await this.files.readText(path)) ?? "") ?? {};
    const sent = url === address && Number.isSafeInteger(seq) ? (seq as number) : 0;
    const keep = (now: number): Promise<void> =>
      this.files.replace(path, `${JSON.stringify({ url: address, seq: now })}\n`);
    const { session, http, log } = this;
    const { log: store, instance } = session.current;
    this.#forwarding = new Forwarding({ collector, store, instance, http, log, keep }, sent);
    return this.#forwarding;
  }

  /** The fields of `/health`; empty without a collector. */
  facts(): { readonly forwarded?: number; readonly forward_fault?: string } {
    if (!this.#forwarding) return {};
    const { sent, fault } = this.#forwarding;
    return { forwarded: sent, ...(fault !== undefined && { forward_fault: fault }) };
  }
}

export const FORWARDER = token<Forwarder>("forwarder");

interface Parts {
  readonly collector: Collector;
  readonly store: LogStore;
  /** The name of the start of the forwarding server. */
  readonly instance: string;
  readonly http: Http;
  readonly log: Log;
  /** Stores the number of the last acknowledged event. */
  readonly keep: (seq: number) => Promise<void>;
}

/** Events of one request. */
interface Batch {
  readonly events: readonly LogEvent[];
  readonly last: number;
  /** The number of events between them that a full log has dropped. */
  readonly dropped: number;
}

/** Sends one request at a time, which keeps the order of the log, and repeats it until it is acknowledged. */
class Forwarding {
  readonly #halt = new AbortController();
  readonly #over: Promise<void>;
  #sent: number;
  #size = MOST_EVENTS;
  #failures = 0;
  #fault: string | undefined;

  constructor(
    private readonly parts: Parts,
    sent: number,
  ) {
    this.#sent = sent;
    this.#over = this.#run();
    // `stop` rethrows an unexpected error; until then `/health` shows it.
    this.#over.catch((caught: unknown) => {
      this.#failed(caught instanceof Error ? caught.message : String(caught));
    });
  }

  /** `_seq` of the last event that the collector has acknowledged. */
  get sent(): number {
    return this.#sent;
  }

  /** The reason why events wait, if any. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Makes one more attempt to send waiting events. */
  async stop(): Promise<void> {
    this.#halt.abort();
    await this.#over;
    const late = AbortSignal.timeout(LAST_MS);
    while (this.#fault === undefined && !late.aborted && (await this.#pass(late)) === 0);
  }

  async #run(): Promise<void> {
    const { signal } = this.#halt;
    while (!signal.aborted) {
      const wait = await this.#pass(signal);
      if (wait > 0) await pause(wait, signal);
    }
  }

  /** Sends the next events; returns the wait before the next call, in milliseconds. */
  async #pass(signal: AbortSignal): Promise<number> {
    try {
      const batch = await this.#next();
      if (!batch) return LOOK_MS;
      const answer = await this.#post(batch.events, signal);
      const isBad = BAD_DATA.includes(answer.status);
      if (isBad && batch.events.length > 1) {
        // A single event may be the reason.
        this.#size = Math.floor(batch.events.length / 2);
        return 0;
      }
      if (answer.status !== 200 && !isBad) {
        const asked = Number(answer.headers["retry-after"]) * 1_000;
        return this.#failed(`it answers with status ${answer.status}`, asked);
      }
      this.#tell(batch, answer, isBad);
      this.#size = Math.min(MOST_EVENTS, this.#size * 2);
      this.#sent = batch.last;
      await this.parts.keep(batch.last);
      return 0;
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return this.#failed(caught.message);
    }
  }

  async #next(): Promise<Batch | undefined> {
    const { store } = this.parts;
    const { seq } = store.facts();
    // Another log has replaced the forwarded one.
    if (this.#sent > seq) this.#sent = 0;
    if (this.#sent === seq) return undefined;
    const question = { since: this.#sent, limit: this.#size };
    const { shown, dropped } = await store.read(
      (segments) => segments,
      (sources) => select(sources, question, undefined, MOST_BYTES),
    );
    const events = shown.filter(({ leftOut }) => leftOut === 0).map(({ text }) => objectOf(text) ?? {});
    const last = Number(events.at(-1)?.["_seq"]);
    if (events.length === 0) this.#sent = seq;
    return events.length === 0 ? undefined : { events, last, dropped };
  }

  #post(events: readonly LogEvent[], signal: AbortSignal): Promise<HttpResponse> {
    const { collector, http, instance } = this.parts;
    return http.send({
      method: "POST",
      url: collector.url,
      headers: { ...collector.headers, "content-type": "application/json" },
      body: JSON.stringify(requestOf(events, instance)),
      timeoutMs: REQUEST_MS,
      maxBytes: MAX_ANSWER_BYTES,
      signal,
    });
  }

  /** Reports events that did not arrive, and the end of a failure. */
  #tell({ events, dropped }: Batch, { status, body }: HttpResponse, isBad: boolean): void {
    const { partialSuccess } = objectOf(body) ?? {};
    const { rejectedLogRecords, errorMessage } = (partialSuccess ?? {}) as Readonly<Record<string, unknown>>;
    const rejected = isBad ? events.length : Number(rejectedLogRecords ?? 0);
    const why = isBad ? `status ${status}` : quotedName(typeof errorMessage === "string" ? errorMessage : "");
    const { notice } = this.parts.log;
    if (rejected > 0) notice(`The collector has refused ${rejected} events: ${why}.`);
    if (dropped > 0) notice(`The full log dropped ${dropped} events before they were forwarded.`);
    if (this.#fault !== undefined) notice("The collector accepts events again.");
    [this.#failures, this.#fault] = [0, undefined];
  }

  /** Records a failure, which is reported once; returns the pause before the next attempt, in milliseconds. */
  #failed(why: string, askedMs = 0): number {
    if (this.#halt.signal.aborted) return LOOK_MS;
    if (this.#fault === undefined) this.parts.log.notice(`Events wait in the log to be forwarded: ${why}`);
    this.#fault = why;
    const wait = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures) * (1 + Math.random() / 4);
    this.#failures += 1;
    return askedMs > 0 ? Math.min(askedMs, LONGEST_ASKED_MS) : wait;
  }
}
