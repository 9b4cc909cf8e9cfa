import type { Context, Script } from "node:vm";

/** The time limit for third-party patterns: those of a schema for one value, and those of all rules for one request. */
export const MOST_PATTERN_MS = 1_000;

let call: Script | undefined;
let context: Context | undefined;

/** The limits of further attempts, as multiples of the first one. */
const FURTHER = [4, 16];

/**
 * Runs a synchronous action that can be repeated, and ends it when it takes too long: a third-party pattern can
 * keep a process busy for ever. The limit is in wall-clock time; if the process had the processor for less than half of
 * it, the action is tried again with a longer limit. Returns whether the action was completed.
 */
export function within(milliseconds: number, act: () => void): boolean {
  for (const limit of [1, ...FURTHER]) {
    const before = process.cpuUsage();
    if (endsWithin(limit * milliseconds, act)) return true;
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1_000 >= milliseconds / 2) return false;
  }
  return false;
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
