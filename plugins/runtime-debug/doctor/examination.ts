import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { SkillError } from "skillctl";
import type { Environment, Files, Http, HttpRequest, HttpResponse, Journals } from "skillctl";
import type { DoctorInput, DoctorOutput } from "../contract.ts";
import { readEnvironmentText } from "../server/environment-file.ts";
import { isServing } from "../server/server-call.ts";
import { readRecord } from "../server/server-record.ts";
import { askedFolder, foundAbove, sessionFiles } from "../session-files.ts";
import { checkedSession } from "../session-id.ts";
import { WSL_NOTE, candidates } from "./candidates.ts";
import { pageFault, pageRemark, strangeness, unanswered, whereInstead, type Known } from "./reasons.ts";

const PATIENCE_MS = 5_000;
const MAX_BYTES = 256 * 1024;
/** The run of the doctor's events, so that they stand in no comparison. */
const RUN = "doctor";
/** The event is among the last of the log: so many bytes of it are read. */
const TAIL_BYTES = 1024 * 1024;
const AGAIN = "Start the server again.";
const HINTS: Readonly<Record<string, string>> = {
  forbidden_origin: "Start the server with --allow-origin and the origin of the page.",
  forbidden_host: "Start the server with --allow-host and the name that the program uses.",
  forbidden_key:
    "The address in the program is an old one: take the one in the environment file, with its key.",
  storage_full: "Make room on the disk; the server goes on by itself.",
  not_found: "Events go to an address that ends in /event.",
};
/** Silence of a program proves nothing yet. */
const ARRIVES =
  "An event arrives. Of a program that hangs, is killed or exits by itself only probes with --sync are sure to.";

/** Sends an event the way an instrumented program would, and says which link of its way is broken. */
export class Examination {
  /** The links that were looked at, in order. After a broken one nothing more is looked at that lies behind it. */
  readonly #links: DoctorOutput["links"][number][] = [];

  constructor(
    private readonly environment: Environment,
    private readonly files: Files,
    private readonly http: Http,
    private readonly journals: Journals,
    private readonly signal: AbortSignal,
  ) {}

  /** @throws SkillError `DEBUG_LINK_BROKEN` with the output as its result, `DEBUG_SESSION_INVALID`, `STORAGE_UNSAFE`. */
  async run(input: DoctorInput): Promise<DoctorOutput> {
    const known = await this.#walk({ ...input, session: checkedSession(input.session) });
    const broken = this.#links.find(({ ok }) => !ok);
    const addresses =
      known?.record && known.isAlive ? [...candidates(known.record, this.environment.addresses())] : [];
    const output = { ok: !broken, links: this.#links, addresses };
    const result = { ...output, text: textOf(output) };
    if (!broken) return result;
    throw new SkillError("DEBUG_LINK_BROKEN", `An event does not arrive: ${broken.sentence}`, {
      ...(broken.hint !== undefined && { hint: broken.hint }),
      result,
    });
  }

  /** Looks at one link after the other, until one is broken that the next depend on. */
  async #walk(input: DoctorInput): Promise<Known | undefined> {
    const { session, origin } = input;
    const target = await this.#target(input);
    if (!target) return undefined;
    const { folder, url } = target;
    const files = sessionFiles(folder, session);
    const record = await readRecord(files.record, this.files);
    const isAlive = record !== undefined && (await isServing(record, this.http, this.signal));
    const known = { session, record, isAlive };
    if (!(await this.#isServer(url, known))) return known;
    if (origin !== undefined && !(await this.#letsPage(url, origin))) return known;
    const mark = await this.#postedMark(url, session, origin);
    if (mark !== undefined) await this.#arrival(files.log, mark);
    return known;
  }

  #holds(link: string, sentence: string, hint?: string): true {
    this.#links.push({ link, ok: true, sentence, ...(hint !== undefined && { hint }) });
    return true;
  }

  #breaks(link: string, sentence: string, hint: string): false {
    this.#links.push({ link, ok: false, sentence, hint });
    return false;
  }

  /**
   * The environment file the way probes look for it: in the named folder, or in `.dbg` of the working folder and of each
   * above it. An address that was given is used in place of the one in the file.
   */
  async #target({
    session,
    outdir,
    url: given,
  }: DoctorInput): Promise<{ readonly folder: string; readonly url: string } | undefined> {
    if (given !== undefined && !isAddress(given)) {
      const hint = "Give one such as http://127.0.0.1:7777/event.";
      this.#breaks("address", `"${given}" is no address to post to.`, hint);
      return undefined;
    }
    const name = `${session}.env`;
    const { workingFolder } = this.environment;
    const above = outdir === undefined ? await foundAbove(workingFolder, [name], this.files) : undefined;
    const folder = above ?? askedFolder(outdir, this.environment);
    const path = join(folder, name);
    const text = await this.files.readText(path);
    if (text === undefined) {
      if (given !== undefined) return { folder, url: given };
      const start = `Start a server: skillctl run runtime-debug serve ${session} --detach`;
      this.#breaks("environment file", `There is no ${path}, nor one in a folder above.`, start);
      return undefined;
    }
    const named = this.#addressIn(path, readEnvironmentText(text), session);
    if (given !== undefined && given !== named)
      this.#holds("address", `Looked at instead is ${withoutKey(given)}.`);
    const url = given ?? named;
    return url === undefined ? undefined : { folder, url };
  }

  /** The address in such a file, if there is one. */
  #addressIn(path: string, values: ReadonlyMap<string, string>, session: string): string | undefined {
    const again = "Start the server again; it writes the file.";
    const url = values.get("DEBUG_SERVER_URL") ?? "";
    const named = values.get("DEBUG_SESSION_ID");
    if (!isAddress(url)) {
      this.#breaks("environment file", `${path} names no address.`, again);
      return undefined;
    }
    const other = named === undefined ? "no session" : `the session ${named}`;
    if (named === session) this.#holds("environment file", `${path} names ${withoutKey(url)}.`);
    else this.#breaks("environment file", `${path} names ${other}.`, again);
    return url;
  }

  /** Whether somebody answers at the address, and whether that is the server of the session. */
  async #isServer(address: string, known: Known): Promise<boolean> {
    const url = new URL(address);
    const answer = await this.#attempt({ method: "GET", url: `${url.origin}/health` });
    if (answer instanceof SkillError) return this.#breaks("port", ...unanswered(answer, url, known));
    this.#holds("port", `${url.origin} answers.`);
    const health = objectIn(answer);
    if (health["error"] === "forbidden_host") {
      const hint = `Start it with --allow-host ${url.hostname}, or use 127.0.0.1.`;
      return this.#breaks("host", `The server does not answer for the name ${url.hostname}.`, hint);
    }
    const stranger = strangeness(health, known);
    if (stranger !== undefined) return this.#breaks("server", stranger, whereInstead(known));
    this.#holds("server", `It is the server of ${known.session} (process ${String(health["pid"])}).`);
    if (health["ok"] === true) return this.#holds("storage", "It can write its log.");
    this.#breaks("storage", "It cannot write its log now.", "Make room on the disk and check the folder.");
    return true;
  }

  /** What browsers forbid by themselves, and what one asks before a page may send JSON; answers whether it may. */
  async #letsPage(url: string, origin: string): Promise<boolean> {
    const fault = pageFault(origin);
    if (fault) return this.#breaks("page", ...fault);
    const remark = pageRemark(url, origin);
    if (remark?.ok === true) this.#holds("page", ...remark.told);
    else if (remark) this.#breaks("page", ...remark.told);
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const answer = await this.#attempt({ method: "OPTIONS", url, headers });
    if (answer instanceof SkillError) return this.#breaks("preflight", answer.message, AGAIN);
    const allowed = answer.headers["access-control-allow-origin"];
    if (allowed === origin || allowed === "*") {
      const hint = "A content security policy of the page must list the address under connect-src.";
      return this.#holds("preflight", `A browser lets pages of ${origin} send.`, hint);
    }
    const which = objectIn(answer)["error"] === undefined ? "another origin" : "no such origin";
    const sentence = `A browser stops pages of ${origin}: the server allows ${which}.`;
    return this.#breaks("preflight", sentence, `Start the server with --allow-origin ${origin}`);
  }

  /** Posts an event as a program or a page would; answers its mark when it was taken. */
  async #postedMark(url: string, session: string, origin: string | undefined): Promise<string | undefined> {
    const mark = randomBytes(12).toString("hex");
    const event = {
      sessionId: session,
      runId: RUN,
      location: "skillctl doctor",
      msg: "[DEBUG] an event of skillctl doctor",
      data: { mark },
    };
    const headers = { "content-type": "application/json", ...(origin !== undefined && { origin }) };
    const answer = await this.#attempt({ method: "POST", url, headers, body: JSON.stringify(event) });
    if (answer instanceof SkillError) {
      this.#breaks("event", `The event was not answered: ${answer.message}`, AGAIN);
      return undefined;
    }
    if (answer.status === 200) {
      this.#holds("event", "An event was taken.");
      return mark;
    }
    const { error, message, hint } = objectIn(answer);
    const code = typeof error === "string" ? error : "no code";
    const why = typeof message === "string" ? message : "without a reason";
    const own = typeof hint === "string" ? hint : "Check the address.";
    const sentence = `The event was refused (${answer.status}, ${code}): ${why}`;
    this.#breaks("event", sentence, HINTS[code] ?? own);
    return undefined;
  }

  /** Whether the event with that mark stands in the log. */
  async #arrival(path: string, mark: string): Promise<boolean> {
    const reader = await this.journals.openToRead(path);
    let end = "";
    try {
      const from = Math.max(0, (reader?.bytes ?? 0) - TAIL_BYTES);
      if (reader) end = new TextDecoder().decode(await reader.read(from, reader.bytes - from));
    } finally {
      await reader?.close();
    }
    if (end.includes(mark)) return this.#holds("log", `It stands in ${path}.`);
    const sentence = reader ? `It does not stand in ${path}.` : `There is no ${path}.`;
    return this.#breaks("log", sentence, "The server writes to another folder: name it with --outdir.");
  }

  /** Sends one request. A failure of the network is answered, not thrown. */
  async #attempt(
    request: Pick<HttpRequest, "method" | "url" | "headers" | "body">,
  ): Promise<HttpResponse | SkillError> {
    try {
      const { signal } = this;
      return await this.http.send({ ...request, timeoutMs: PATIENCE_MS, maxBytes: MAX_BYTES, signal });
    } catch (caught) {
      if (caught instanceof SkillError && caught.code !== "CANCELLED") return caught;
      throw caught;
    }
  }
}

/** The JSON object in an answer; an empty one when there is none. */
function objectIn({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    // Another server may answer anything.
    return {};
  }
}

function isAddress(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}

/** An address as it may be shown: keys stay in the files. */
function withoutKey(url: string): string {
  return url.replace(/([?&]k=|\?(?=[^=&#]+(?:[&#]|$)))[^&#]*/g, "$1…");
}

function textOf({ ok, links, addresses }: Omit<DoctorOutput, "text">): string {
  const lines = links.flatMap((link) => [
    `${link.ok ? "ok     " : "BROKEN "} ${link.link}: ${link.sentence}`,
    ...(link.hint === undefined ? [] : [`         ${link.hint}`]),
  ]);
  const where = addresses.flatMap(({ url, for: who, listens, hint }) => [
    `${listens ? "yes" : "no "}  ${withoutKey(url)}  ${who}`,
    ...(hint === undefined ? [] : [`       ${hint}`]),
  ]);
  const list =
    where.length === 0
      ? []
      : ["", "Addresses, and whether the server takes events there now:", ...where, WSL_NOTE];
  return [...lines, ...list, "", ok ? ARRIVES : "An event does not arrive."].join("\n");
}
