import { randomBytes } from "node:crypto";
import { join } from "node:path";
import {
  quotedName,
  SkillError,
  type Environment,
  type Files,
  type Http,
  type HttpRequest,
  type HttpResponse,
  type Journals,
} from "skillctl";
import type { DoctorInput, DoctorOutput } from "../contract.ts";
import { forbiddingDirective, policiesOf } from "./page-policy.ts";
import { candidates, isBeyondLoopback, withoutKey } from "./network.ts";
import { isServing } from "./server-call.ts";
import { readEnvironmentText, readRecord, recordFile, type ServerRecord } from "./server-files.ts";
import { askedFolder, checkedSession, nearestFolder, sessionFiles } from "../session-files.ts";
import { objectOf } from "../store/log/log-lines.ts";

/** Finds a build without the probes of its source, given the end of the log; returns a sentence and a hint. */
type OldBuild = (log: string) => Promise<readonly [sentence: string, hint: string] | undefined>;
type Link = DoctorOutput["links"][number];
type Answer = Readonly<Record<string, unknown>>;

const PATIENCE_MS = 5_000;
/** The server acknowledges an event once it is on disk, which takes longer on a busy machine. */
const EVENT_PATIENCE_MS = 60_000;
const MAX_BYTES = 256 * 1024;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Bytes read from the end of the log, which contain the event. */
const TAIL_BYTES = 1024 * 1024;
/** Hints for a refusal, by its code. */
const HINTS: Answer = {
  forbidden_origin: "Start the server with --allow-origin and the origin of the page.",
  forbidden_host: "Start the server with --allow-host and the name that the program uses.",
  forbidden_key: "The program has an old address: use the one in the environment file, with its key.",
  storage_full: "Free disk space; the server then continues.",
  not_found: "Events go to an address that ends in /event.",
};

interface DoctorPorts {
  readonly environment: Environment;
  readonly files: Files;
  readonly http: Http;
  readonly journals: Journals;
}

/** Sends an event as an instrumented program would, checks each step of its path and stops at the first failure. */
export class Doctor {
  readonly #links: Link[] = [];
  /** The server that serves the session, or served it last. */
  #record: ServerRecord | undefined;
  /** The same, if it answers at the recorded address. */
  #alive: ServerRecord | undefined;
  /** The command that starts the server in the examined folder. */
  #serve = "";

  constructor(
    private readonly input: DoctorInput,
    private readonly signal: AbortSignal,
    private readonly ports: DoctorPorts,
  ) {}

  /**
   * @param observe whether a program can be observed, as a sentence
   * @param oldBuild finds a build without the probes of its source
   * @throws SkillError `DEBUG_LINK_BROKEN` with the output as its result, `DEBUG_SESSION_INVALID`, `STORAGE_UNSAFE`.
   */
  async run(observe?: string, oldBuild?: OldBuild): Promise<DoctorOutput> {
    const broken = await this.#walk(checkedSession(this.input.session), oldBuild).catch((caught: unknown) => {
      if (caught instanceof SkillError && caught.code === "DEBUG_LINK_BROKEN") return caught;
      throw caught;
    });
    const addresses = this.#alive ? candidates(this.#alive, this.ports.environment.addresses()) : [];
    const output = { ok: broken === undefined, links: this.#links, addresses: [...addresses] };
    const text = textOf(output);
    const result =
      observe === undefined ? { ...output, text } : { ...output, observe, text: `${observe}\n\n${text}` };
    if (broken === undefined) return result;
    const { code, message, hint = "" } = broken;
    throw new SkillError(code, message, { hint, result });
  }

  async #walk(session: string, oldBuild?: OldBuild): Promise<undefined> {
    const { folder, url } = await this.#target();
    const place = { folder: (await this.ports.files.realPath(folder)) ?? folder };
    this.#record = await readRecord(recordFile(this.ports.environment, place, session), this.ports.files);
    if (this.#record && (await isServing(this.#record, this.ports.http, this.signal)))
      this.#alive = this.#record;
    if (this.input.url === undefined && !this.#isOwn(url))
      this.#breaks(
        "address",
        `The file names ${withoutKey(url)}, where no server of yours has answered for ${session}, so nothing is sent there.`,
        `To query it anyway, pass it with --url. ${this.#instead}`,
      );
    await this.#server(new URL(url));
    const { page, origin = page !== undefined && URL.canParse(page) ? new URL(page).origin : page } =
      this.input;
    if (origin !== undefined) await this.#page(url, origin);
    if (page !== undefined) await this.#policy(new URL(url), new URL(page));
    const mark = await this.#event(url);
    const end = await this.#arrival(sessionFiles(folder, session).log, mark);
    const old = await oldBuild?.(end);
    if (old) this.#breaks("build", ...old);
  }

  /** Whether this user has started a server at the address: an environment file may come with a folder. */
  #isOwn(url: string): boolean {
    const { origin } = new URL(url);
    const own = this.#record ? candidates(this.#record, this.ports.environment.addresses()) : [];
    return [this.#record?.eventUrl, ...own.map((one) => one.url)].some(
      (one) => one !== undefined && new URL(one).origin === origin,
    );
  }

  #holds(link: string, sentence: string, hint?: string): void {
    this.#links.push({ link, ok: true, sentence, ...(hint !== undefined && { hint }) });
  }

  #breaks(link: string, sentence: string, hint: string): never {
    this.#links.push({ link, ok: false, sentence, hint });
    throw new SkillError("DEBUG_LINK_BROKEN", `An event does not arrive: ${sentence}`, { hint });
  }

  /**
   * The environment file and its address, or the given address. Probes search the same places: the named folder, or
   * `.dbg` of the working folder and of each folder above it.
   */
  async #target(): Promise<{ readonly folder: string; readonly url: string }> {
    const { session, url: given, outdir } = this.input;
    if (given !== undefined && !isAddress(given))
      this.#breaks(
        "address",
        `"${given}" is not an address to post to.`,
        "Use one such as http://127.0.0.1:7777/event.",
      );
    const name = `${session}.env`;
    const folder = await nearestFolder(outdir, [name], this.ports.environment, this.ports.files);
    const here = askedFolder(undefined, this.ports.environment);
    const where = folder === here ? "" : ` --outdir ${quotedName(folder)}`;
    this.#serve = `skillctl run runtime-debug serve ${session} --detach${where}`;
    const path = join(folder, name);
    const text = await this.ports.files.readText(path);
    if (text === undefined) {
      if (given !== undefined) return { folder, url: given };
      this.#breaks(
        "environment file",
        `There is no ${quotedName(path)}, and no such file in a parent folder.`,
        `Start a server: ${this.#serve}`,
      );
    }
    const values = readEnvironmentText(text);
    const { DEBUG_SERVER_URL: url = "", DEBUG_SESSION_ID: named } = Object.fromEntries(values);
    if (!isAddress(url) || named !== session)
      this.#breaks(
        "environment file",
        `${quotedName(path)} names ${isAddress(url) ? `the session ${named}` : "no address"}.`,
        "Start the server again; it writes the file.",
      );
    this.#holds("environment file", `${quotedName(path)} names ${withoutKey(url)}.`);
    if (given !== undefined && given !== url)
      this.#holds("address", `Checked instead: ${withoutKey(given)}.`);
    return { folder, url: given ?? url };
  }

  /** Whether a server answers at the address, and whether it serves the session. */
  async #server(url: URL): Promise<void> {
    const { session } = this.input;
    const answer = await this.#asked({ method: "GET", url: `${url.origin}/health` });
    if (answer instanceof SkillError) this.#breaks("port", ...this.#unanswered(answer, url));
    this.#holds("port", `${url.origin} answers.`);
    const { error, ok, pid, instance, session_id: of } = objectOf(answer.body) ?? {};
    if (error === "forbidden_host")
      this.#breaks(
        "host",
        `The server does not accept the host name ${url.hostname}.`,
        `Start it with --allow-host ${url.hostname}, or use 127.0.0.1.`,
      );
    if (typeof instance !== "string" || typeof of !== "string")
      this.#breaks("server", "The server there is not a debug server.", this.#instead);
    if (of !== session)
      this.#breaks("server", `The server there collects for ${of}, not for ${session}.`, this.#instead);
    if (this.#record && this.#record.instance !== instance)
      this.#breaks(
        "server",
        "The server there is not the one that was started in this folder.",
        this.#instead,
      );
    this.#holds("server", `It is the server of ${session} (process ${String(pid)}).`);
    if (ok !== true)
      this.#breaks("storage", "It cannot write its log now.", "Free disk space and check the folder.");
    this.#holds("storage", "It can write its log.");
  }

  /** The hint for an address without a server of the session. */
  get #instead(): string {
    const { session } = this.input;
    if (this.#alive) return `The server of ${session} answers at ${this.#alive.url}: use that address.`;
    return `Start the server again, so that it writes its address into the environment file: ${this.#serve}`;
  }

  /** The finding and hint for an address that does not answer. */
  #unanswered(error: SkillError, { origin, hostname, protocol }: URL): readonly [string, string] {
    const reason = (error.cause as NodeJS.ErrnoException | undefined)?.code;
    const sentence = reason === "ECONNREFUSED" ? `Nothing listens at ${origin}.` : error.message;
    if (sentence.includes("blocked port"))
      return [
        `The Fetch standard blocks the port of ${origin}: browsers and Node send nothing there.`,
        `Start the server on another port: ${this.#serve} --port 7777`,
      ];
    if (protocol === "https:")
      return [sentence, "The server speaks plain HTTP: write http://, unless something before it adds TLS."];
    if (!isBeyondLoopback(hostname)) return [sentence, this.#instead];
    const remote =
      "Other machines reach only a server that was started with --remote, unless a firewall stops them.";
    return [sentence, `${remote} ${this.#instead}`];
  }

  /** The preflight request that browsers send before a page may send JSON. */
  async #page(url: string, origin: string): Promise<void> {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      this.#breaks(
        "page",
        `"${origin}" is not an origin that a server may allow.`,
        "An origin looks like http://localhost:3000; a page that is a file has none: serve it from this machine.",
      );
    const headers = {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type",
    };
    const answer = await this.#asked({ method: "OPTIONS", url, headers });
    if (answer instanceof SkillError) this.#breaks("preflight", answer.message, "Start the server again.");
    const allowed = answer.headers["access-control-allow-origin"];
    if (allowed !== origin && allowed !== "*")
      this.#breaks(
        "preflight",
        `Browsers block pages of ${origin}: the server does not allow that origin.`,
        `Start the server with --allow-origin ${origin}`,
      );
    this.#holds(
      "preflight",
      `Browsers let pages of ${origin} send.`,
      "--page URL reads the content security policy of a page, too. For pages from other machines, Chrome asks the user first, Safari sends nothing, and no browser sends from https to another machine without TLS.",
    );
  }

  /** Whether the content security policy of a page permits the request. */
  async #policy(target: URL, page: URL): Promise<void> {
    const answer = await this.#asked({ method: "GET", url: page.href }, PATIENCE_MS, MAX_PAGE_BYTES);
    if (answer instanceof SkillError)
      this.#breaks("page", `The page does not answer: ${answer.message}`, "Start its server, and try again.");
    const { location, "content-security-policy": header = "" } = answer.headers;
    if (location !== undefined)
      this.#breaks(
        "page",
        "The page redirects to another address.",
        `Name it: --page ${new URL(location, page).href}`,
      );
    const directive = forbiddingDirective(policiesOf(header, answer.body), page, target);
    if (directive !== undefined)
      this.#breaks(
        "policy",
        `The content security policy of the page forbids it: ${quotedName(directive)}.`,
        `Add ${target.origin} to its connect-src while you debug, or observe the page, which needs no request: observe --inspect HOST:PORT.`,
      );
    this.#holds("policy", "The content security policy of the page permits it.");
  }

  /** Posts an event as a program or a page would; returns its mark. */
  async #event(url: string): Promise<string> {
    const { session, page, origin = page && new URL(page).origin } = this.input;
    const mark = randomBytes(12).toString("hex");
    const body = JSON.stringify({
      sessionId: session,
      // Excludes the event from comparisons.
      runId: "doctor",
      location: "skillctl doctor",
      msg: "[DEBUG] an event of skillctl doctor",
      data: { mark },
    });
    const headers = { "content-type": "application/json", ...(origin !== undefined && { origin }) };
    const answer = await this.#asked({ method: "POST", url, headers, body }, EVENT_PATIENCE_MS);
    if (answer instanceof SkillError)
      this.#breaks(
        "event",
        `The server did not answer the event: ${answer.message}`,
        "Start the server again.",
      );
    if (answer.status !== 200) {
      const {
        error = "no code",
        message = "without a reason",
        hint = "Check the address.",
      } = objectOf(answer.body) ?? {};
      const sentence = `The event was refused (${answer.status}, ${String(error)}): ${String(message)}`;
      this.#breaks("event", sentence, String(HINTS[String(error)] ?? hint));
    }
    this.#holds("event", "An event was stored.");
    return mark;
  }

  /** The end of the log, which must contain the event with that mark. */
  async #arrival(path: string, mark: string): Promise<string> {
    const elsewhere = "The server writes to another folder: name it with --outdir.";
    const reader = await this.ports.journals.openToRead(path);
    if (!reader) this.#breaks("log", `There is no ${quotedName(path)}.`, elsewhere);
    const from = Math.max(0, reader.bytes - TAIL_BYTES);
    const end = await reader.read(from, reader.bytes - from);
    await reader.close();
    if (!Buffer.from(end).includes(mark))
      this.#breaks("log", `${quotedName(path)} does not contain it.`, elsewhere);
    this.#holds("log", `${quotedName(path)} contains it.`);
    return Buffer.from(end).toString();
  }

  /** Sends one request; returns a network failure instead of throwing it. */
  async #asked(
    request: Pick<HttpRequest, "method" | "url" | "headers" | "body">,
    timeoutMs = PATIENCE_MS,
    maxBytes = MAX_BYTES,
  ): Promise<HttpResponse | SkillError> {
    try {
      const { signal } = this;
      return await this.ports.http.send({ ...request, timeoutMs, maxBytes, signal });
    } catch (caught) {
      if (caught instanceof SkillError && caught.code !== "CANCELLED") return caught;
      throw caught;
    }
  }
}

function isAddress(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}

/** A missing event of a program is not evidence by itself. */
const ARRIVES =
  "An event arrives. If a program hangs, is killed or exits, only probes with --sync are reliable.";

/** The findings of the doctor as text. */
function textOf({ ok, links, addresses }: Omit<DoctorOutput, "text">): string {
  const under = (hint: string | undefined): readonly string[] =>
    hint === undefined ? [] : [`       ${hint}`];
  const found = links.flatMap(({ link, ok: holds, sentence, hint }) => [
    `${holds ? "ok     " : "BROKEN "} ${link}: ${sentence}`,
    ...under(hint),
  ]);
  const where = addresses.flatMap(({ url, for: who, listens, hint }) => [
    `${listens ? "yes" : "no "}  ${withoutKey(url)}  ${who}`,
    ...under(hint),
  ]);
  const list = where.length === 0 ? [] : ["", "Addresses, and whether they accept events now:", ...where];
  return [...found, ...list, "", ok ? ARRIVES : "An event does not arrive."].join("\n");
}
