import { join } from "node:path";
import type { DebugStart } from "../server-harness.ts";

/** A stand-in that is careless in one way; see servers/careless.mjs. */
export function careless(way: "early" | "naming"): DebugStart {
  return { script: [join(import.meta.dirname, "servers", "careless.mjs"), way] };
}
