import { dirname } from "node:path";
import { configurationFile } from "../../../adapters/configuration-files.ts";
import { readConfiguration } from "../../../adapters/configuration.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { watchFolders } from "../../../adapters/folder-watch.ts";
import { skillFolders } from "../../../adapters/foreign-skills.ts";
import { startWorker, type ServedWorker } from "../../../adapters/served-worker.ts";
import { SkillError, asSkillError } from "../../../errors/skill-error.ts";
import { isObject } from "../../../schema/json.ts";
import { assess, waitingLine } from "../../../trust/trust.ts";
import { coreSchemas } from "../schema-files.ts";
import { fittingError, jsonResult } from "../text.ts";
import type { Invocation } from "../verb.ts";
import type { ReadWords } from "../words.ts";
import { faultsOf, report } from "./validate.ts";

/** The output of `skillctl serve --json`. */
interface Served {
  readonly url: string;
  readonly port: number;
  readonly key?: string;
}

interface Running {
  readonly worker: ServedWorker;
  readonly served: Served;
}

/**
 * Serves through a child process and replaces it when a skill changes. The new process listens on the same port before the old one
 * finishes its requests and ends. A version with faults, or one that needs trust, is reported and not served: the previous one stays.
 */
export async function serveWatched(read: ReadWords, invocation: Invocation): Promise<number> {
  const { terminal, options, ownProgram = [] } = invocation;
  const { signal } = terminal;
  if (options.plugins.length === 0)
    throw new SkillError("USAGE", "--watch needs a third-party skill.", {
      hint: "For example: --plugin ./greeting",
    });
  const { watch: _, port: wanted = [], ...others } = Object.fromEntries(read.flags);
  const given = Object.entries(others).flatMap(([name, values]) =>
    values.map((value) => `--${name}=${value}`),
  );
  const words = ["serve", ...given, ...options.named.map((path) => `--plugin=${path}`), "--json"];
  const start = async (...port: readonly (string | number)[]): Promise<Running> => {
    const script = ownProgram.at(-1) ?? "";
    const worker = startWorker(script, [...words, ...port.map((one) => `--port=${one}`)], terminal.err);
    return { worker, served: servedIn(await worker.answer) };
  };
  let running = await start(...wanted);
  const { url, key, port } = running.served;
  terminal.out(
    options.json ? jsonResult(running.served) : key === undefined ? `${url}\n` : `${url}/?k=${key}\n`,
  );
  const tell = (line: string): void => terminal.err(fittingError(line, terminal));
  let isWaiting = isProject(invocation);
  // Processes share a socket only if they request the same port.
  const reloaded = async (): Promise<Running> => {
    try {
      isWaiting = await checkNow(invocation, isWaiting);
      const next = await start(wanted[0] === "0" ? "0" : port);
      running.worker.stop();
      tell("Reloaded.\n");
      return next;
    } catch (caught) {
      const { message } = asSkillError(caught);
      tell(`error: ${message.trimEnd()}\nThe previous version of the skills is still served.\n`);
      return running;
    }
  };
  let isChanged = false;
  let wake = (): void => undefined;
  const stop = watchFolders(options.plugins, () => {
    isChanged = true;
    wake();
  });
  signal.addEventListener("abort", () => wake(), { once: true });
  try {
    while (!signal.aborted) {
      const woken = new Promise<undefined>((resolve) => (wake = () => resolve(undefined)));
      const status = isChanged ? undefined : await Promise.race([woken, running.worker.ended]);
      if (status !== undefined && !signal.aborted)
        throw new SkillError("INTERNAL", `The server has ended with the status ${status}.`);
      if (!isChanged) continue;
      isChanged = false;
      running = await reloaded();
    }
    return 0;
  } finally {
    stop();
    running.worker.stop();
    await running.worker.ended;
  }
}

/** Whether the untrusted contents belong to the working folder, not to the person. */
function isProject({ waiting, workingFolder }: Invocation): boolean {
  const file = configurationFile(workingFolder);
  return waiting !== undefined && file !== undefined && waiting.folder === dirname(file);
}

/** The address in the first document of a server. @throws SkillError the error in that document */
function servedIn(document: unknown): Served {
  const { ok, output, error } = isObject(document) ? document : {};
  if (ok === true) return output as Served;
  const {
    code = "INTERNAL",
    message = "The server did not start.",
    hint,
  } = Object(error) as Partial<SkillError>;
  throw new SkillError(code, message, { hint });
}

/**
 * Returns whether contents of the folder are untrusted. @throws SkillError for skills that cannot be served in their
 * present state, or that have become untrusted since the last check
 */
async function checkNow(invocation: Invocation, wasWaiting: boolean): Promise<boolean> {
  let isWaiting = false;
  const { workingFolder, variables, options } = invocation;
  const file = configurationFile(workingFolder);
  if (file !== undefined) {
    const read = readConfiguration(file, await coreSchemas.check("core/configuration"));
    const { stateFolder } = processEnvironment(variables, workingFolder);
    const { waiting } = assess(file, read, stateFolder, options.namedPaths);
    // Contents that were untrusted before are not served in any case.
    if (waiting && !wasWaiting) throw new SkillError("CONFIG_INVALID", waitingLine(waiting));
    isWaiting = waiting !== undefined;
  }
  const places = skillFolders(options.plugins).map((folder) => ({
    folder,
    schemas: `${folder}/schemas`,
    builtin: false,
  }));
  const faults = (await faultsOf(places, invocation)).filter(({ severity }) => severity === "error");
  if (faults.length > 0)
    throw new SkillError("MANIFEST_INVALID", report(places.length, faults, workingFolder));
  return isWaiting;
}
