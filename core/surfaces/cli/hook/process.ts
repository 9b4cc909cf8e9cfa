import { configurationFile, isThere, rulesFiles, userFolder } from "../../../adapters/configuration-files.ts";
import { linkLook } from "../../../adapters/disk-look.ts";
import { processEnvironment, stateAddress } from "../../../adapters/environment.ts";
import { isTerminal, writeStandard } from "../../../adapters/standard-streams.ts";
import type { Guard } from "../../../guard.ts";
import { CLIENTS } from "../../hook/hook.ts";
import type { Surroundings } from "../verb.ts";
import { ANSWERED, answered, patience, respondTo } from "./answer.ts";
import { decideOnce } from "./decision.ts";

/** Hooks start the program with `guard --hook D` or `guard --dialect D`. */
const FLAGS: readonly unknown[] = ["--hook", "--dialect"];

/**
 * Judges one event and loads as little code as possible. Returns the exit status; undefined, before it has read anything, if the
 * whole program is needed: for other words, at a terminal, with rules or skills that are not built in, and with a database.
 */
export async function hookProcess(
  [verb, flag, name, ...more]: readonly string[],
  surroundings: () => Promise<Surroundings>,
): Promise<number | undefined> {
  const { env: variables } = process;
  const dialect = CLIENTS.find((one) => one.name === name);
  if (verb !== "guard" || !FLAGS.includes(flag) || more.length > 0 || !dialect) return undefined;
  if (([0, 1, 2] as const).some(isTerminal) || variables["SKILLCTL_PLUGINS"]) return undefined;
  const environment = processEnvironment(variables);
  const { user, operator } = rulesFiles(variables);
  if (stateAddress(environment.variable) !== undefined) return undefined;
  const folders = [environment.workingFolder, userFolder(environment.stateFolder)];
  if (folders.some(configurationFile) || [user, operator].some(isThere)) return undefined;
  let close: (() => Promise<unknown>) | undefined;
  const guard = async (): Promise<Guard> => {
    const [{ openGuard }, given] = await Promise.all([import("../verbs/guard.ts"), surroundings()]);
    const opened = await openGuard(given);
    close = opened.close;
    return opened.guard;
  };
  const err = (text: string): void => void writeStandard(2, text);
  const files = linkLook();
  const {
    out,
    err: reason,
    status,
  } = await answered({
    dialect,
    seconds: patience(variables),
    err,
    judge: (written) =>
      respondTo(written, {
        dialect,
        environment,
        files,
        decide: (subject) => decideOnce(subject, { environment, files, guard, isAlone: true }),
        notice: (sentence) => err(`${sentence}\n`),
      }),
  });
  if (out !== "") writeStandard(1, out);
  if (reason !== "") err(reason);
  await close?.();
  return status === 0 && flag === "--hook" ? ANSWERED : status;
}
