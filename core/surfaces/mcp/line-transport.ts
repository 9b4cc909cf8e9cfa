import { parseJSONRPCMessage, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/server";

/** The most that one message may have, in bytes; what is longer is refused and passed over. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;

const NEWLINE = 0x0a;
/** JSON-RPC 2.0, section 5.1. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** How long requests may take to be answered after the end of the input, in milliseconds. */
const LINGER_MS = 5_000;

const NO_MESSAGE = "A line is no JSON-RPC message.";

/** The one revision of MCP that has batches. */
const WITH_BATCHES = "2025-03-26";

/** Messages that came as one list: the requests without a response yet, and the responses. */
interface Batch {
  readonly waiting: Set<unknown>;
  readonly answers: object[];
}

/** The two ends of a connection: bytes come in, lines go out. */
export interface Pipe {
  readonly input: NodeJS.ReadableStream;
  /** Writes a text and calls back when it is out, or with what went wrong. */
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown;
}

/**
 * One JSON-RPC message a line (MCP, transports, stdio). Unlike the SDK's own transport it answers a line that is no
 * message instead of passing over it, so that nobody waits in vain, and it tells when all that was sent is out.
 */
export class LineTransport implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport["onmessage"];
  /** Settles once the input has ended, nobody reads any more, or `close` was called. Never rejects. */
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

  /** Reads no further. Who waits for `sent` can still be sure that what was sent is out. */
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

  /** Settles when nothing that was sent is on its way any more. Never rejects. */
  async sent(): Promise<void> {
    await Promise.allSettled(this.#sending);
  }

  readonly #ended = (): void => void this.close();

  /** The input is over: requests that it held are still answered, for a while. */
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
      this.#pipe.write(`${JSON.stringify(message)}\n`, (error) => {
        this.#sending.delete(written);
        if (!error) return resolve();
        // Nobody reads any more.
        this.#ended();
        reject(error);
      });
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
      return this.#refuse(PARSE_ERROR, "A line is no JSON.");
    }
    if (this.#takesBatches && Array.isArray(value) && value.length > 0) return this.#batch(value);
    const message = messageOf(value);
    if (message) this.#take(message);
    else this.#refuse(INVALID_REQUEST, NO_MESSAGE, idOf(value));
  }

  #take(message: JSONRPCMessage): void {
    if ("id" in message && "method" in message) this.#unanswered.add(message.id);
    this.onmessage?.(message);
    // A request that is cancelled has no response.
    if (!("method" in message) || message.method !== "notifications/cancelled") return;
    const id = message.params?.["requestId"];
    this.#answered(id);
    for (const batch of this.#batches) this.#settled(batch, id).catch(() => undefined);
  }

  /** The responses to the requests of a batch go out together (JSON-RPC 2.0, section 6). */
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

  /** Writes the responses of a batch when the last one is there. */
  async #settled(batch: Batch, id: unknown): Promise<void> {
    batch.waiting.delete(id);
    const at = this.#batches.indexOf(batch);
    if (batch.waiting.size > 0 || at < 0) return;
    this.#batches.splice(at, 1);
    if (batch.answers.length > 0) await this.#write(batch.answers);
  }

  /** Without an `id` where none can be read (MCP 2025-11-25, schema, JSONRPCErrorResponse). */
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
    // The SDK tells by throwing that it is none.
    return undefined;
  }
}

function idOf(value: unknown): string | number | undefined {
  const id = typeof value === "object" && value !== null && "id" in value ? value.id : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
