import type { Subject } from "skillctl";
import { fitsSteps, nameSteps } from "./steps.ts";

type Program = NonNullable<Subject["shell"]>["programs"][number];

/** Programs that take away what they name. */
const REMOVERS = /^(?:rm|rmdir|unlink|shred|mv|trash|trash-put|rimraf|del|erase|rd|gio)$/;

/**
 * Whether a program that writes a whole folder may take away the files of a session in it, by their names: what git
 * leaves out stays unless it is told otherwise, and a search with names takes those only.
 */
export function mayRemove({ name, args }: Program, session: string): boolean {
  switch (name) {
    case "git":
      return (
        (args.includes("clean") && args.some((word) => /^-[a-zA-Z]*[xX]/.test(word))) ||
        (args.includes("stash") && args.some((word) => word === "-a" || word === "--all"))
      );
    case "rsync":
      return args.some((word) => word.startsWith("--del"));
    case "find":
    case "fd":
    case "fdfind":
      return searches(args, session);
    default:
      return REMOVERS.test(name);
  }
}

function searches(args: readonly string[], session: string): boolean {
  if (!args.some((word) => /^-(?:delete|exec(?:dir)?|ok(?:dir)?|x|X)$|^--exec/.test(word))) return false;
  const at = args.findIndex((word) => /^-i?(?:name|path|wholename)$/.test(word));
  const pattern = at < 0 ? undefined : args[at + 1];
  if (pattern === undefined || args.some((word) => /^(?:-o|-or|-not|!)$/.test(word))) return true;
  const own = [`debug-${session}.md`, ".dbg", `${session}.env`, `svc-debug-log-${session}.ndjson`];
  return own.some((name) => mayName(pattern, name));
}

/** A path before the name does not count. */
function mayName(pattern: string, name: string): boolean {
  const steps = nameSteps(pattern.slice(pattern.lastIndexOf("/") + 1));
  return steps === undefined || fitsSteps(steps, name);
}
