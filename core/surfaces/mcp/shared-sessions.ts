import {
  WebStandardStreamableHTTPServerTransport,
  type JSONRPCMessage,
  type McpServer,
  type WebStandardStreamableHTTPServerTransportOptions,
} from "@modelcontextprotocol/server";
import type { HostPorts } from "../../composition.ts";
import { SkillError } from "../../errors/skill-error.ts";
import { isObject } from "../../schema/json.ts";

/** Open sessions of a host. A new one replaces the one without a request for the longest time, which the store still has. */
const MOST_SESSIONS = 1_000;
/** Time for which a session without requests is kept, in milliseconds. */
const SESSION_KEEP_MS = 604_800_000;
/** Time for which a message for another host is kept, and interval at which a host with a running call looks for messages. */
const [LETTER_KEEP_MS, LOOK_MS] = [60_000, 200];
const MOST_LETTERS = 100;
const SESSIONS = "core-mcp-sessions";
const LETTERS = "core-mcp-letters";
const CANCELLED = "notifications/cancelled";

/** A session as it is stored: the messages that tell a server about its client. */
interface StoredSession {
  readonly initialize: JSONRPCMessage;
  readonly setLevel?: JSONRPCMessage;
  readonly usedMs: number;
}

/** A session that this host has open. */
interface OpenSession {
  readonly transport: SessionTransport;
  /** The session as far as this host has told its server about it. */
  known: StoredSession | undefined;
}

interface Options {
  readonly ports: Pick<HostPorts, "clock" | "log" | "state">;
  readonly maxRequestBodySize: number;
  readonly onerror: (error: Error) => void;
  /** A server for a conversation. */
  readonly server: (conversation: string) => Promise<McpServer>;
}

/**
 * The sessions of MCP 2025-11-25 and older. Each host of the state store serves each of them, also after a restart: the store keeps
 * the message that began it, and a host that does not know the session replays it. A response of the client, or a cancellation,
 * that belongs to a call of another host is left in the store for that host.
 */
export class SharedSessions {
  readonly #options: Options;
  readonly #open = new Map<string, Promise<OpenSession>>();
  /** The transports with calls that have not been answered. */
  readonly #calling = new Set<SessionTransport>();
  /** Marks the requests of this host. */
  readonly #mark = globalThis.crypto.randomUUID();

  constructor(options: Options) {
    this.#options = options;
  }

  async fetch(request: Request, body: unknown): Promise<Response> {
    try {
      const id = request.headers.get("mcp-session-id") ?? undefined;
      return await (id === undefined ? this.#begin(request, body) : this.#goOn(id, request, body));
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return refusal(503, -32_603, `${caught.code}: ${caught.message}`);
    }
  }

  /** Whether a call runs or waits for its client. */
  get isCalled(): boolean {
    return this.#calling.size > 0;
  }

  /** Ends the streams; calls that are open get an error. The sessions continue at other hosts. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#calling].map((transport) => transport.refuseCalls()));
    const ends = [...this.#open.values()].map(async (session) => (await session).transport.close());
    await Promise.allSettled(ends);
  }

  async #begin(request: Request, body: unknown): Promise<Response> {
    const id = globalThis.crypto.randomUUID();
    let isBegun = false;
    const session = await this.#connected(id, () => (isBegun = true));
    const response = await session.transport.handleRequest(request, { parsedBody: body });
    if (!isBegun) {
      void session.transport.close();
      return response;
    }
    void this.#keep(id, Promise.resolve(session));
    const usedMs = this.#options.ports.clock.now();
    session.known = await this.#store(id, () => ({ initialize: body as JSONRPCMessage, usedMs }));
    return response;
  }

  async #goOn(id: string, request: Request, body: unknown): Promise<Response> {
    const session = await this.#session(id);
    if (!session) return refusal(404, -32_001, "The session has ended; begin another with initialize.");
    const { transport } = session;
    const messages: readonly unknown[] = [body].flat();
    const others = messages.filter((message) => !transport.isFor(message));
    await this.#leave(id, others);
    const own = messages.filter((message) => !others.includes(message)).map((one) => transport.received(one));
    if (own.length === 0) return new Response(null, { status: 202 });
    const parsedBody = Array.isArray(body) ? own : own[0];
    const response = await transport.handleRequest(request, { parsedBody });
    const setLevel = own.find((one) => isObject(one) && one["method"] === "logging/setLevel") as
      | JSONRPCMessage
      | undefined;
    if (request.method === "DELETE" && response.ok) await this.#store(id, () => undefined);
    else if (setLevel && session.known)
      session.known = await this.#store(id, (known) => known && { ...known, setLevel });
    return response;
  }

  /** A session, open or as it is stored; `undefined` if it has ended. */
  async #session(id: string): Promise<OpenSession | undefined> {
    const { clock, log, state } = this.#options.ports;
    const open = this.#open.get(id);
    let stored: StoredSession | undefined;
    try {
      stored = (await state.read(nameOf(SESSIONS, id))) as StoredSession | undefined;
    } catch (caught) {
      // A session that is open here does not need the store.
      if (!open) throw caught;
      log.detail(`The MCP session was not read: ${String(caught)}`);
      return open;
    }
    if (!stored) {
      const session = await open;
      if (!session?.known) return session;
      await session.transport.close();
      return undefined;
    }
    if (clock.now() - stored.usedMs > SESSION_KEEP_MS / 2)
      await this.#store(id, (known) => known && { ...known, usedMs: clock.now() });
    const session = await (open ?? this.#keep(id, this.#replayed(id, stored)));
    if (open) void this.#keep(id, open);
    const { setLevel } = stored;
    if (setLevel && JSON.stringify(session.known?.setLevel) !== JSON.stringify(setLevel)) {
      session.known = stored;
      await session.transport.replay(setLevel);
    }
    return session;
  }

  async #replayed(id: string, { initialize, usedMs }: StoredSession): Promise<OpenSession> {
    const session = await this.#connected(id);
    await session.transport.replay(initialize);
    await session.transport.replay({ jsonrpc: "2.0", method: "notifications/initialized" });
    session.known = { initialize, usedMs };
    return session;
  }

  async #connected(id: string, begun?: () => void): Promise<OpenSession> {
    const { onerror, maxRequestBodySize, server } = this.#options;
    const transport = new SessionTransport(
      { sessionIdGenerator: () => id, maxRequestBodySize, ...(begun && { onsessioninitialized: begun }) },
      this.#mark,
      this.#calling,
      () => void this.#takeLetters(id, transport).catch(onerror),
    );
    Object.assign(transport, { onerror, onclose: () => this.#open.delete(id) });
    await (await server(`mcp-${id}`)).connect(transport);
    return { transport, known: undefined };
  }

  #keep(id: string, session: Promise<OpenSession>): Promise<OpenSession> {
    this.#open.delete(id);
    this.#open.set(id, session);
    session.catch(() => this.#open.delete(id));
    const [oldest] = this.#open.values();
    if (this.#open.size > MOST_SESSIONS) void oldest?.then(({ transport }) => transport.close());
    return session;
  }

  async #store(
    id: string,
    change: (known: StoredSession | undefined) => StoredSession | undefined,
  ): Promise<StoredSession | undefined> {
    const { log, state } = this.#options.ports;
    try {
      return (await state.update(nameOf(SESSIONS, id), SESSION_KEEP_MS, (known) =>
        change(known as StoredSession | undefined),
      )) as StoredSession | undefined;
    } catch (caught) {
      log.detail(`The MCP session is kept in this process only: ${String(caught)}`);
      return undefined;
    }
  }

  /** Leaves messages in the store for the host that waits for them. */
  async #leave(id: string, messages: readonly unknown[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#options.ports.state.update(nameOf(LETTERS, id), LETTER_KEEP_MS, (now) =>
      [...((now ?? []) as readonly unknown[]), ...messages].slice(-MOST_LETTERS),
    );
  }

  async #takeLetters(id: string, transport: SessionTransport): Promise<void> {
    const { state } = this.#options.ports;
    const name = nameOf(LETTERS, id);
    const isOwn = (letter: unknown): boolean => transport.isFor(letter);
    const waiting = (await state.read(name)) as readonly unknown[] | undefined;
    if (!waiting?.some(isOwn)) return;
    let own: readonly unknown[] = [];
    await state.update(name, LETTER_KEEP_MS, (now) => {
      const letters = (now ?? []) as readonly unknown[];
      own = letters.filter(isOwn);
      const rest = letters.filter((letter) => !isOwn(letter));
      return rest.length > 0 ? rest : undefined;
    });
    for (const letter of own) await transport.replay(transport.received(letter));
  }
}

type SendOptions = Parameters<WebStandardStreamableHTTPServerTransport["send"]>[1];

/** A transport whose requests to the client tell which host waits for the response. */
class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly #mark: string;
  readonly #look: () => void;
  readonly #calling: Set<SessionTransport>;
  /** Ids of the calls that run or wait for their client. */
  readonly #calls = new Set<unknown>();
  #timer: NodeJS.Timeout | undefined;

  /** While a call is open, the transport is in `calling`, and `look` is called again and again. */
  constructor(
    options: WebStandardStreamableHTTPServerTransportOptions,
    mark: string,
    calling: Set<SessionTransport>,
    look: () => void,
  ) {
    super(options);
    this.#mark = `${mark} `;
    this.#calling = calling;
    this.#look = look;
  }

  /** Answers the open calls with an error. */
  async refuseCalls(): Promise<void> {
    const error = { code: -32_000, message: "The server is closing. Call the tool again." };
    for (const id of this.#calls) await this.send({ jsonrpc: "2.0", id: id as string | number, error });
  }

  /** False for a response to another host, and for a cancellation of a call that runs elsewhere. */
  isFor(message: unknown): boolean {
    if (!isObject(message)) return true;
    const { id, method, params } = message;
    if (method === undefined) return typeof id !== "string" || id.startsWith(this.#mark);
    return method !== CANCELLED || this.#calls.has(isObject(params) && params["requestId"]);
  }

  /** A message of the client in terms of the server. */
  received(message: unknown): unknown {
    if (!isObject(message)) return message;
    const { id, method, params } = message;
    if (method === undefined)
      return typeof id === "string" ? { ...message, id: Number(id.slice(this.#mark.length)) } : message;
    if (method === CANCELLED && isObject(params)) this.#ended(params["requestId"]);
    if (id === undefined) return message;
    this.#calls.add(id);
    this.#calling.add(this);
    this.#timer ??= setInterval(this.#look, LOOK_MS).unref();
    return message;
  }

  override send(message: JSONRPCMessage, options?: SendOptions): Promise<void> {
    if (!("method" in message)) this.#ended(message.id);
    else if ("id" in message) return super.send({ ...message, id: `${this.#mark}${message.id}` }, options);
    else if (message.method === CANCELLED) {
      const { requestId, ...params } = message.params ?? {};
      return super.send(
        { ...message, params: { ...params, requestId: `${this.#mark}${String(requestId)}` } },
        options,
      );
    }
    return super.send(message, options);
  }

  override close(): Promise<void> {
    this.#calls.clear();
    this.#ended(undefined);
    return super.close();
  }

  /** Gives the server a message as if the client had sent it here. */
  async replay(message: unknown): Promise<void> {
    const headers = {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-session-id": this.sessionId ?? "",
    };
    const request = new Request("http://localhost/mcp", { method: "POST", headers });
    await (await this.handleRequest(request, { parsedBody: message })).text();
  }

  #ended(id: unknown): void {
    this.#calls.delete(id);
    if (this.#calls.size > 0) return;
    this.#calling.delete(this);
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function nameOf(collection: string, id: string) {
  // A client may send any text.
  return { collection, id: id.slice(0, 100) };
}

/** An error in place of an answer. */
export function refusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", error: { code, message }, id: null }, { status });
}
