import process from "node:process";
import { processEnvironment } from "../../../adapters/environment.ts";
import { nodeFiles } from "../../../adapters/files.ts";
import {
  hookChecks,
  loopbackCheck,
  nodeCheck,
  ruleChecks,
  stateFolderCheck,
  variableChecks,
  type Check,
} from "../doctor/checks.ts";
import { configurationChecks, packageChecks, portChecks, soundnessChecks } from "../doctor/skill-checks.ts";
import { jsonText, printable, wrapped } from "../text.ts";
import type { Terminal, Verb, VerbContext } from "../verb.ts";
import { readWords } from "../words.ts";

const HELP = `What is wrong on this machine, and what to type to mend it: Node, the state
folder, a local port, skillctl.json and its rules, the hosted skills, the ports they need,
optional packages, environment variables, hooks of agents. Loads no
code of a skill and shows no secret.

Usage: skillctl doctor [--json]

Every line is ok, warn or fail. The exit status is 1 with any fail, else 0.
`;

/** Tells what is wrong on this machine. */
export const verb: Verb = { help: HELP, run };

async function run(words: readonly string[], context: VerbContext): Promise<number> {
  readWords(words, {}, 0);
  const environment = processEnvironment(context.variables, context.workingFolder);
  const host = await context.host();
  const { skills } = host.catalog;
  const checks: readonly Check[] = [
    nodeCheck(process.versions.node),
    await stateFolderCheck(environment.stateFolder, nodeFiles),
    await loopbackCheck(),
    ...(await configurationChecks(context, host)),
    ...(await ruleChecks(context, host)),
    ...(await soundnessChecks(context)),
    ...portChecks(host),
    ...packageChecks(),
    ...variableChecks(skills, environment),
    ...(await hookChecks(environment, nodeFiles)),
  ];
  const healthy = checks.every(({ status }) => status !== "fail");
  const { terminal, options } = context;
  if (options.json) terminal.out(jsonText({ ok: healthy, output: { checks } }));
  else terminal.out(printable(checks.map((check) => lineOf(check, terminal)).join("")));
  return healthy ? 0 : 1;
}

function lineOf({ status, what, mend }: Check, { showsOut, columns }: Terminal): string {
  const line = `${what}${mend === undefined ? "" : `  -> ${mend}`}`;
  return `${status.padEnd(4)}  ${showsOut ? wrapped(line, columns, 6) : line}\n`;
}
