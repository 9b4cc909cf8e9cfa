import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { inspect } from "node:util";
import { SkillError } from "../errors/skill-error.ts";
import type { HttpRequest } from "../ports/http.ts";
import { kyHttp } from "./http.ts";

/** For tests: a GET request with generous limits. */
export const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: "GET",
  url,
  timeoutMs: 30_000,
  maxBytes: 1_000_000,
  ...more,
});

/** For tests: the error of a request that must fail. */
export const failure = async (request: HttpRequest): Promise<SkillError> => {
  const caught: unknown = await kyHttp.send(request).catch((error: unknown) => error);
  assert.ok(caught instanceof SkillError, inspect(caught));
  return caught;
};

/** For tests: begins a response and leaves it open. */
export function begin(response: ServerResponse): void {
  response.writeHead(200);
  response.write("begun");
}
