import { basename, dirname, isAbsolute, join, relative } from "node:path";
import { quotedName } from "../quoted-name.ts";
import { jsonValue } from "../schema/json.ts";
import type { BuildState } from "../skill.ts";
import { contentFiles } from "./skill-content.ts";

// Not imported: see standard-streams.ts.
const { readFileSync, statSync } = process.getBuiltinModule("node:fs");

/** A checkout writes the files of a folder in any order within this time; a person needs longer between a change and a build. */
const TOLERANCE_MS = 2_000;
const SOURCE = /(?<!\.d)(?<!\.test)\.([cm]?)ts$/;

/**
 * Compares the times of files: of each TypeScript file, and of the JavaScript beside it, or in the folder of the module for a
 * source in `src`. Undefined for a skill in JavaScript.
 */
export function buildState(folder: string, module = "./plugin.js"): BuildState | undefined {
  const plugin = module.slice(2);
  const signs = ["tsconfig.json", plugin.replace(/js$/, "ts")];
  if (signs.every((name) => timeOf(join(folder, name)) === undefined)) return undefined;
  let own: BuildState | undefined;
  for (const { path } of contentFiles(folder)) {
    const source = relative(folder, path).replaceAll("\\", "/");
    if (!SOURCE.test(source)) continue;
    const beside = source.replace(SOURCE, ".$1js");
    const made = source.startsWith("src/")
      ? join(dirname(plugin), beside.slice(4)).replaceAll("\\", "/")
      : beside;
    const [written = 0, compiled] = [timeOf(path), timeOf(join(folder, made))];
    const found = (state: BuildState["state"]): BuildState => ({
      source,
      made,
      state,
      remedy: (state === "missing" && writtenElsewhere(folder, plugin)) || remedyIn(folder),
    });
    if (compiled === undefined && made === plugin) return found("missing");
    if (compiled !== undefined && written - compiled > TOLERANCE_MS) return found("older");
    if (made === plugin) own = found("present");
  }
  return own;
}

/** One sentence about code that is older than its source; undefined for other code. */
export function staleSentence(folder: string, module?: string): string | undefined {
  const { state, source, made, remedy } = buildState(folder, module) ?? {};
  if (state !== "older") return undefined;
  return `${quotedName(join(folder, made ?? ""))} is older than ${source}, its source: ${remedy}.`;
}

function timeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

/** The remedy for a compiler that writes the module to another folder. */
function writtenElsewhere(folder: string, plugin: string): string | undefined {
  const [, outDir = "."] = /"outDir"\s*:\s*"([^"]+)"/.exec(textOf(join(folder, "tsconfig.json"))) ?? [];
  const place = join(outDir, basename(plugin)).replaceAll("\\", "/");
  const isElsewhere = place !== plugin && !isAbsolute(outDir) && !place.startsWith("..");
  if (!isElsewhere || timeOf(join(folder, place)) === undefined) return undefined;
  return `remove outDir from tsconfig.json, which writes it to ${quotedName(place)}, or set "plugin" in skill.json to ${quotedName(`./${place}`)}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function remedyIn(folder: string): string {
  const { scripts } = Object(jsonValue(textOf(join(folder, "package.json")))) as {
    readonly scripts?: { readonly build?: unknown };
  };
  const command = typeof scripts?.build === "string" ? "npm run build" : "npx tsc";
  return `run \`${command}\` in ${quotedName(folder)}`;
}
