import type { FastifyReply } from "fastify";
import type { RouteReply } from "../../plugin.ts";
import { sendStream, type Parts, type StreamOptions } from "./stream-reply.ts";

const JSON_UTF8 = "application/json; charset=utf-8";

/** Sends a value as JSON. */
export function sendJson(
  reply: FastifyReply,
  status: number,
  value: unknown,
  type = JSON_UTF8,
): FastifyReply {
  return sendText(reply, status, JSON.stringify(value), type);
}

/** Sends a text as it is. Browsers must not guess another type: it may hold what a stranger wrote. */
export function sendText(reply: FastifyReply, status: number, text: string, type: string): FastifyReply {
  reply.statusCode = status;
  return reply.header("content-type", type).header("x-content-type-options", "nosniff").send(text);
}

/** Sends a stream; the router has nothing more to do with the answer. Settles when the answer is closed. */
export function sendParts(
  reply: FastifyReply,
  { status, headers }: Pick<RouteReply, "status" | "headers">,
  parts: Parts,
  options: Omit<StreamOptions, "open">,
): Promise<void> {
  const { raw } = reply.hijack();
  const open = (): void => {
    raw.setHeader("content-type", "application/octet-stream");
    raw.setHeader("x-content-type-options", "nosniff");
    for (const [name, value] of Object.entries(headers ?? {})) raw.setHeader(name, value);
    raw.writeHead(status);
  };
  return sendStream(raw, parts, { ...options, open });
}
