import { join } from "node:path";
import type { DebugStart } from "../server-harness.ts";

/** A stand-in that is careless in the ways named, joined by commas; see servers/careless.mjs. */
export function careless(ways: string): DebugStart {
  return { script: [join(import.meta.dirname, "servers", "careless.mjs"), ways] };
}
