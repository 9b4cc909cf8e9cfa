import {
  SUBSCRIPTION_ID_META_KEY,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import { isObject } from "../../schema/json.ts";
import type { Tasks } from "../../tasks.ts";
import { taskSubscription, tellTasks, undeclaredTasks, type TaskSubscription } from "./task-methods.ts";

/** A subscription that has not ended. */
interface OpenSubscription extends TaskSubscription {
  readonly stop: AbortController;
}

/**
 * A transport that serves subscriptions to tasks. The SDK checks each request; its acknowledgement, which would name no task, is
 * replaced.
 */
export class TaskTransport<Call> implements Transport {
  onclose: (() => void) | undefined;
  onerror: ((error: Error) => void) | undefined;
  onmessage: Transport["onmessage"];
  readonly #wire: Transport;
  readonly #tasks: Tasks<Call>;
  readonly #note: (error: Error) => void;
  readonly #open = new Map<RequestId, OpenSubscription>();

  constructor(wire: Transport, tasks: Tasks<Call>, note: (error: Error) => void) {
    this.#wire = wire;
    this.#tasks = tasks;
    this.#note = note;
  }

  start(): Promise<void> {
    const onclose = (): void => {
      for (const id of this.#open.keys()) this.#end(id);
      this.onclose?.();
    };
    const onmessage = (message: JSONRPCMessage): void => {
      const wanted = taskSubscription(message);
      if (wanted) this.#open.set(wanted.id, { ...wanted, stop: new AbortController() });
      else if ("method" in message && message.method === "notifications/cancelled")
        this.#end(message.params?.["requestId"]);
      this.onmessage?.(message);
    };
    Object.assign(this.#wire, { onerror: (error: Error) => this.onerror?.(error), onclose, onmessage });
    return this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const acknowledged = acknowledgedBy(message);
    const wanted = acknowledged === undefined ? undefined : this.#open.get(acknowledged);
    if (wanted) return this.#serve(wanted);
    // The SDK has refused the request, or ends all subscriptions.
    if (this.#open.size > 0 && "id" in message && !("method" in message)) this.#end(message.id);
    return this.#wire.send(message, options);
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #serve(wanted: OpenSubscription): void {
    const { id, isDeclared, stop } = wanted;
    const send = (message: JSONRPCMessage): Promise<void> => this.#wire.send(message);
    const told = isDeclared ? tellTasks(this.#tasks, wanted, stop.signal, send) : send(undeclaredTasks(id));
    void told.catch(this.#note).finally(() => {
      // Otherwise the SDK would end it again.
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: id } });
      this.#open.delete(id);
    });
  }

  #end(id: unknown): void {
    this.#open.get(id as RequestId)?.stop.abort();
    this.#open.delete(id as RequestId);
  }
}

/** The request that a message acknowledges. */
function acknowledgedBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/subscriptions/acknowledged")
    return undefined;
  const meta: unknown = message.params?._meta;
  return isObject(meta) ? (meta[SUBSCRIPTION_ID_META_KEY] as RequestId) : undefined;
}
