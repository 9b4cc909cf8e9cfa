import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";

/** The limit for one message, in bytes. Longer ones are refused and skipped. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Time to answer open requests after the end of the input, in milliseconds. */
const LINGER_MS = 5_000;

const NO_MESSAGE = "A line is not a JSON-RPC message.";

/** The only revision of MCP with batches. */
const WITH_BATCHES = "2025-03-26";

/** Messages received as one list: the unanswered requests, and the responses so far. */
interface Batch {
  readonly waiting: Set<unknown>;
  readonly answers: object[];
}

/** The two ends of a connection: bytes come in, lines go out. */
export interface Pipe {
  readonly input: NodeJS.ReadableStream;
  /** Writes a text and calls `done` when it has been written, or with the error. */
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown;
}

/**
 * Transports one JSON-RPC message per line (MCP, transports, stdio). Unlike the transport of the SDK it answers invalid lines,
 * so that the client does not wait for ever, supports batches, and reports when all messages have been written.
 */
export class LineTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport["onmessage"];
  /** Settles when the input has ended, the output is closed, or `close` was called. Never rejects. */
  readonly closed: Promise<void>;
  readonly #pipe: Pipe;
  readonly #sending = new Set<Promise<void>>();
  #parts: Buffer[] = [];
  #bytes = 0;
  readonly #batches: Batch[] = [];
  #takesBatches = false;
  readonly #unanswered = new Set<unknown>();
  #isDrained = false;
  #lingering: NodeJS.Timeout | undefined;
  #open = true;
  #tellClosed = (): void => undefined;

  constructor(pipe: Pipe) {
    this.#pipe = pipe;
    this.closed = new Promise((resolve) => (this.#tellClosed = resolve));
  }

  async start(): Promise<void> {
    const { input } = this.#pipe;
    input.on("data", this.#read);
    input.on("error", this.#ended);
    input.on("end", this.#drained);
    input.on("close", this.#drained);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!("id" in message) || "method" in message) return this.#write(message);
    if ("result" in message && message.result["protocolVersion"] === WITH_BATCHES) this.#takesBatches = true;
    const batch = this.#batches.find(({ waiting }) => waiting.has(message.id));
    batch?.answers.push(message);
    const written = batch ? this.#settled(batch, message.id) : this.#write(message);
    this.#answered(message.id);
    await written;
  }

  /** Stops reading. Sent messages are still written; see `sent`. */
  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#lingering);
    const { input } = this.#pipe;
    input.off("data", this.#read);
    input.pause();
    this.#parts = [];
    this.#tellClosed();
    this.onclose?.();
  }

  /** Settles when all sent messages have been written. Never rejects. */
  async sent(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  readonly #ended = (): void => void this.close();

  /** At the end of the input, open requests are still answered for a limited time. */
  readonly #drained = (): void => {
    this.#isDrained = true;
    if (this.#unanswered.size === 0) return this.#ended();
    this.#lingering ??= setTimeout(this.#ended, LINGER_MS);
  };

  #answered(id: unknown): void {
    this.#unanswered.delete(id);
    if (this.#isDrained && this.#unanswered.size === 0) this.#ended();
  }

  #write(message: object): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#pipe.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
    const settled = (): void => void this.#sending.delete(written);
    // When the output is closed the connection ends.
    written.then(settled, () => {
      settled();
      this.#ended();
    });
    this.#sending.add(written);
    return written;
  }

  readonly #read = (chunk: Buffer | string): void => {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (;;) {
      const end = rest.indexOf(NEWLINE);
      if (end === -1 || !this.#open) break;
      this.#keep(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
      this.#line();
    }
    if (this.#open) this.#keep(rest);
  };

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > MAX_LINE_BYTES) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #line(): void {
    const [bytes, parts] = [this.#bytes, this.#parts];
    this.#bytes = 0;
    this.#parts = [];
    if (bytes > MAX_LINE_BYTES)
      return this.#refuse(INVALID_REQUEST, `A message has at most ${MAX_LINE_BYTES} bytes.`);
    const text = Buffer.concat(parts).toString("utf8");
    if (text.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#refuse(PARSE_ERROR, "A line is not JSON.");
    }
    if (this.#takesBatches && Array.isArray(value) && value.length > 0) return this.#batch(value);
    const message = messageOf(value);
    if (message) this.#take(message);
    else this.#refuse(INVALID_REQUEST, NO_MESSAGE, idOf(value));
  }

  #take(message: JSONRPCMessage): void {
    // A subscription is answered at its end.
    if ("id" in message && "method" in message && message.method !== "subscriptions/listen")
      this.#unanswered.add(message.id);
    this.onmessage?.(message);
    // A cancelled request gets no response.
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    this.#answered(id);
    for (const batch of this.#batches) this.#settled(batch, id).catch(() => undefined);
  }

  /** The responses to a batch are sent together (JSON-RPC 2.0, section 6). */
  #batch(values: readonly unknown[]): void {
    const batch: Batch = { waiting: new Set(), answers: [] };
    const messages = values.flatMap((value) => {
      const message = messageOf(value);
      if (!message) batch.answers.push(refusal(INVALID_REQUEST, NO_MESSAGE, idOf(value)));
      else if ("id" in message && "method" in message) batch.waiting.add(message.id);
      return message ?? [];
    });
    this.#batches.push(batch);
    for (const message of messages) this.#take(message);
    if (batch.waiting.size === 0) this.#settled(batch, undefined).catch(() => undefined);
  }

  /** Writes the responses of a batch when it is complete. */
  async #settled(batch: Batch, id: unknown): Promise<void> {
    batch.waiting.delete(id);
    const at = this.#batches.indexOf(batch);
    if (batch.waiting.size > 0 || at < 0) return;
    this.#batches.splice(at, 1);
    if (batch.answers.length > 0) await this.#write(batch.answers);
  }

  /** Sends an error, without an `id` if none can be read (MCP 2025-11-25, schema, JSONRPCErrorResponse). */
  #refuse(code: number, message: string, id?: string | number): void {
    this.onerror?.(new Error(message));
    // A failure to write closes the connection.
    this.#write(refusal(code, message, id)).catch(() => undefined);
  }
}

function refusal(code: number, message: string, id?: string | number): object {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error: { code, message } };
}

function messageOf(value: unknown): JSONRPCMessage | undefined {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    // The SDK throws for invalid messages.
    return undefined;
  }
}

function idOf(value: unknown): string | number | undefined {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
