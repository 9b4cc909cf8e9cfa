import type { Context, Script } from "node:vm";

/** How long patterns from outside the box may take: those of a schema for one value, those of all rules for one request. */
export const MOST_PATTERN_MS = 1_000;

let call: Script | undefined;
let context: Context | undefined;

/** How much longer an act may take where other programs have the processor meanwhile. */
const SHARED = 4;

/**
 * Does something that never waits and may be begun again, and ends it when it takes too long: a pattern from outside can
 * keep a process busy for ever. The limit is of the clock; where the process had the processor for less than half of
 * it, the act has one further attempt. Returns whether it came to its end.
 */
export function within(milliseconds: number, act: () => void): boolean {
  const before = process.cpuUsage();
  if (endsWithin(milliseconds, act)) return true;
  const { user, system } = process.cpuUsage(before);
  const hadMs = (user + system) / 1_000;
  return hadMs < milliseconds / 2 && endsWithin(SHARED * milliseconds, act);
}

function endsWithin(milliseconds: number, act: () => void): boolean {
  const vm = process.getBuiltinModule("node:vm");
  call ??= new vm.Script("act()");
  context ??= vm.createContext({});
  context["act"] = act;
  try {
    call.runInContext(context, { timeout: milliseconds });
    return true;
  } catch (caught) {
    if ((caught as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw caught;
    return false;
  } finally {
    context["act"] = undefined;
  }
}
