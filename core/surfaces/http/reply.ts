import type { FastifyReply } from "fastify";

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
