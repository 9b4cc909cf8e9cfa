import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { numberedBody } from "./event-body.ts";

const SCHEMA = new URL("servers/event-schema.json", import.meta.url);

/**
 * Microseconds an event that a core needs for no more than to decode, parse and validate bodies of so many lines,
 * with the schema of the bare server. Nothing is received, kept or answered.
 */
export function parseCeiling(batch: number, milliseconds: number): number {
  const valid = new Ajv2020().compile(JSON.parse(readFileSync(SCHEMA, "utf8")) as object);
  const { bytes } = numberedBody(batch);
  const start = performance.now();
  let events = 0;
  while (performance.now() < start + milliseconds) {
    for (const line of bytes.toString().split("\n")) {
      if (!valid(JSON.parse(line))) throw new Error(`The bench has made an event that is none: ${line}`);
      events += 1;
    }
  }
  return ((performance.now() - start) * 1_000) / events;
}
