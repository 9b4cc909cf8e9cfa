import type { ShellFiles } from "../shell-files.ts";
import { AGENTS } from "./agents.ts";
import { ARCHIVES } from "./archives.ts";
import { awk } from "./awk.ts";
import { BUILDS } from "./builds.ts";
import { CHANGING } from "./changing.ts";
import { CONTAINERS } from "./containers.ts";
import { COPYING } from "./copying.ts";
import { DATABASES } from "./databases.ts";
import { DEBUGGING } from "./debugging.ts";
import { DOWNLOADS } from "./downloads.ts";
import type { Effects, ProgramCall } from "./effects.ts";
import { find } from "./find.ts";
import { FORMATTERS } from "./formatters.ts";
import { git } from "./git.ts";
import { INTERPRETERS } from "./interpreters.ts";
import { PACKAGES } from "./packages.ts";
import { PATCHES } from "./patches.ts";
import { ENVIRONMENT, PLAIN } from "./plain.ts";
import { READING } from "./reading.ts";
import { Scene } from "./scene.ts";
import { sed } from "./sed.ts";
import { SHELLS } from "./shells.ts";
import type { Table } from "./table.ts";
import { act, conductOf } from "./table.ts";
import { WRAPPERS } from "./wrappers.ts";
import { parallel, xargs } from "./xargs.ts";

export type { Effects, ProgramCall } from "./effects.ts";

const LANGUAGES: Table = {
  "sed gsed": sed,
  "awk gawk mawk nawk original-awk": awk,
  "find gfind": find,
  git,
  "xargs gxargs": xargs,
  parallel,
};

/** Where one name stands twice, the earlier table holds. */
const TABLES: readonly Table[] = [
  LANGUAGES,
  WRAPPERS,
  SHELLS,
  PACKAGES,
  INTERPRETERS,
  PLAIN,
  READING,
  CHANGING,
  PATCHES,
  COPYING,
  ENVIRONMENT,
  DOWNLOADS,
  ARCHIVES,
  BUILDS,
  CONTAINERS,
  DEBUGGING,
  FORMATTERS,
  DATABASES,
  AGENTS,
];

/** Whether a program of this name stands in a table. */
export function isKnownProgram(name: string): boolean {
  return conductOf(name, TABLES) !== undefined;
}

/**
 * What a call of a program does, as far as its words tell; it is judged by its name, wherever its file is. Whatever it starts stands in
 * `runs`. The text of script files is not looked at. A program that is in no table is `unlisted`.
 */
export function effectsOf(call: ProgramCall, files: ShellFiles): Effects {
  const scene = new Scene(call, files);
  const [only] = call.args;
  const conduct = conductOf(call.name, TABLES);
  if (conduct === undefined) scene.unknown(call.name === "" ? "program" : "unlisted");
  else if (call.args.length > 1 || !/^--(?:version|help)$/.test(only?.text ?? "")) act(conduct, scene);
  return scene.effects();
}
