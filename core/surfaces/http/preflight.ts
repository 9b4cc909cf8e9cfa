import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { PREFLIGHT_SECONDS } from "./limits.ts";

const NAMES = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;
const MOST_NAMES = 1_000;
/** What browsers ask before a page of a wider network reaches this one: the name of today, and that of a later draft. */
const NETWORKS = ["private-network", "local-network"];

/** Whether a browser asks beforehand. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === "OPTIONS" && headers["access-control-request-method"] !== undefined;
}

/**
 * Answers a browser that asks beforehand. `shared` are the header lines that let the page in, if it may; `methods` those
 * that the address has.
 */
export function answerPreflight(
  { headers }: IncomingMessage,
  response: ServerResponse,
  shared: readonly string[],
  methods: readonly string[],
): void {
  const may = shared.includes("Access-Control-Allow-Origin");
  response.writeHead(204, [...shared, ...(may ? permissions(headers, methods) : [])]);
  response.end();
}

function permissions(headers: IncomingHttpHeaders, methods: readonly string[]): readonly string[] {
  const names = headers["access-control-request-headers"];
  const isEchoed = names !== undefined && names.length <= MOST_NAMES && NAMES.test(names);
  const networks = NETWORKS.filter((name) => headers[`access-control-request-${name}`] === "true");
  return [
    ...(methods.length > 0 ? ["Access-Control-Allow-Methods", methods.join(", ")] : []),
    ...(isEchoed ? ["Access-Control-Allow-Headers", names] : []),
    ...networks.flatMap((name) => [`Access-Control-Allow-${capitals(name)}`, "true"]),
    "Access-Control-Max-Age",
    String(PREFLIGHT_SECONDS),
  ];
}

function capitals(name: string): string {
  return name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
