import { join } from "node:path";
import { ROOT } from "../house.ts";
import type { DebugStart } from "../debug-house.ts";

/** A stand-in that is careless in the ways named, joined by commas; see servers/careless.mjs. */
export function careless(ways: string): DebugStart {
  return { script: [join(ROOT, "contract-tests", "faults", "servers", "careless.mjs"), ways] };
}
