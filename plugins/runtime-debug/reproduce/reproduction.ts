import { SkillError } from "skillctl";
import type { ReproduceInput } from "../contract.ts";
import type { Reproduction } from "../session/entry.ts";

/** Time limit of a try, in seconds. */
const TRY_S = 60;

/**
 * The command that shows the bug, with its stored settings; `undefined` without one. @param folder working
 * folder of a new command, absolute
 * @throws SkillError `USAGE` for flags that belong together or exclude each other
 */
export function reproductionOf(
  input: Omit<ReproduceInput, "session">,
  folder: string,
  known?: Reproduction,
): Reproduction | undefined {
  const { command, page, act, inspect, times, failsWhen, timeout, while: server, port, sync } = input;
  if ((server === undefined) !== (port === undefined))
    throw new SkillError(
      "USAGE",
      `--while and --port belong together: ${server === undefined ? "--while" : "--port"} is missing.`,
    );
  if (page !== undefined && command !== undefined)
    throw new SkillError("USAGE", "A command and --page exclude each other.");
  const before = command === undefined ? known?.page : undefined;
  const isPage = page !== undefined || before !== undefined;
  if (!isPage && (act ?? inspect) !== undefined)
    throw new SkillError("USAGE", "--act and --inspect require --page, which is missing.");
  const wished = page ?? command ?? known?.command;
  if (wished === undefined) return undefined;
  const shown = { ...before, ...(act !== undefined && { act }), ...(inspect !== undefined && { inspect }) };
  const fails = failsWhen ?? known?.failsWhen;
  const waits = sync ?? known?.sync;
  const run = server !== undefined && port !== undefined ? { command: server, port } : known?.server;
  return {
    command: wished,
    folder: command === undefined ? (known?.folder ?? folder) : folder,
    times: times ?? known?.times ?? 1,
    timeout: timeout ?? known?.timeout ?? TRY_S,
    ...(isPage && { page: shown }),
    ...(fails !== undefined && { failsWhen: fails }),
    ...(waits === true && { sync: true }),
    ...(run && { server: run }),
  };
}
