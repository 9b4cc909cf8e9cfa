import type { ServerResponse } from "node:http";
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

/** Sends a stream over an answer that nobody else writes to. Settles when the answer is closed. */
export function sendParts(
  response: ServerResponse,
  { status, headers }: Pick<RouteReply, "status" | "headers">,
  parts: Parts,
  options: Omit<StreamOptions, "open">,
): Promise<void> {
  const open = (): void => {
    response.setHeader("content-type", "application/octet-stream");
    response.setHeader("x-content-type-options", "nosniff");
    for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
    response.writeHead(status);
  };
  return sendStream(response, parts, { ...options, open });
}
