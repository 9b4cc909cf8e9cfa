import type { Context, Script } from "node:vm";

/** How long patterns from outside the box may take: those of a schema for one value, those of all rules for one request. */
export const MOST_PATTERN_MS = 1_000;

let call: Script | undefined;
let context: Context | undefined;

/**
 * Does something that never waits, and ends it when it takes too long: a pattern from outside can keep a process busy
 * for ever. Answers whether it came to its end.
 */
export function within(milliseconds: number, act: () => void): boolean {
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
