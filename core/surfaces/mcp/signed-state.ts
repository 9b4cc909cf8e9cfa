import { createHash, randomBytes } from "node:crypto";
import {
  ProtocolError,
  ProtocolErrorCode,
  createRequestStateCodec,
  type RequestStateCodec,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { HostPorts } from "../../composition.ts";
import { isObject } from "../../schema/json.ts";
import type { Responses } from "./questions.ts";

/** The time for the person's answer. */
const VALID_SECONDS = 3_600;
const TEN_YEARS_MS = 315_360_000_000;

/** The results of earlier rounds of a call, and its identity, so that an answer never counts for another one. */
interface CallState {
  readonly call: string;
  readonly given: Responses;
}

/**
 * Signs the state that clients send back with the results that they were asked for (MCP 2026-07-28, basic/patterns, server
 * requirements). The key is kept in the state store, so that each host of the store accepts it, also after a restart.
 */
export class SignedState {
  readonly #ports: Pick<HostPorts, "state" | "log">;
  #codec: Promise<RequestStateCodec<CallState>> | undefined;

  constructor(ports: Pick<HostPorts, "state" | "log">) {
    this.#ports = ports;
  }

  async sign(call: string, given: Responses): Promise<string> {
    return (await this.#opened()).mint({ call, given });
  }

  /** Checks the signature; the SDK refuses the request if it rejects. */
  readonly verify = async (state: string, context: ServerContext): Promise<CallState> =>
    (await this.#opened()).verify(state, context);

  #opened(): Promise<RequestStateCodec<CallState>> {
    return (this.#codec ??= this.#key().then((key) =>
      createRequestStateCodec({ key, ttlSeconds: VALID_SECONDS }),
    ));
  }

  async #key(): Promise<string> {
    const made = { key: randomBytes(32).toString("hex") };
    const isKept = (value: unknown): value is typeof made =>
      isObject(value) && typeof value["key"] === "string";
    try {
      const name = { collection: "core-mcp", id: "state-key" };
      const kept = await this.#ports.state.update(name, TEN_YEARS_MS, (now) => (isKept(now) ? now : made));
      return isKept(kept) ? kept.key : made.key;
    } catch (caught) {
      this.#ports.log.detail(`The key for MCP states is kept in this process only: ${String(caught)}`);
      return made.key;
    }
  }
}

/** Identifies a call by its name and arguments. */
export function callDigest(name: string, input: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([name, input]))
    .digest("base64url")
    .slice(0, 22);
}

/** The results of earlier rounds of a call. @throws ProtocolError -32602 for the state of another call. */
export function givenBefore({ mcpReq }: ServerContext, name: string, input: unknown): Responses | undefined {
  const state = mcpReq.requestState<CallState>();
  if (state === undefined || state.call === callDigest(name, input)) return state?.given;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, "The requestState belongs to another call.");
}
