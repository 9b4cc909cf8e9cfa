import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import { expanded, makefileOf, type Makefile } from "./makefile.ts";
import type { Scene } from "./scene.ts";
import { literal } from "./words.ts";

const OPTIONS =
  "v | C:d directory:d f:x file:x makefile:x I: include-dir: o: old-file: W: what-if: j:: jobs:: l:: load-average:: eval:c O:: output-sync:: E:c debug:: e!v environment-overrides!v p!v print-data-base!v";
const NAMES = ["GNUmakefile", "makefile", "Makefile"];
const MOST = 200;

/**
 * make: recipes of the targets, and of what they need, as a shell is given them.
 */
export function make(scene: Scene): void {
  const line = follow(OPTIONS, scene);
  const given = new Map<string, string>();
  const targets: string[] = [];
  for (const word of line.operands) {
    const [, name, value] = /^([\w.]+)\s*[:?+!]*=([^]*)$/.exec(word.text ?? word.known ?? "") ?? [];
    if (name === undefined || value === undefined) {
      if (word.text === undefined) scene.unknown("unlisted");
      else targets.push(word.text);
    } else assignment(word, name, value, scene, given);
  }
  if (line.has("n", "just-print", "dry-run", "recon", "q", "question", "version", "v", "h", "help")) return;
  const named = line.all("f", "file", "makefile");
  const files =
    named.length > 0
      ? named
      : NAMES.map(literal)
          .filter((name) => scene.kind(name) === "file")
          .slice(0, 1);
  const text = files.map((file) => scene.text(file) ?? "").join("\n");
  if (line.has("p", "print-data-base")) scene.use(undefined);
  const make = makefileOf(text, given);
  recipes(make, targets, given, scene);
  // The environment holds for these: what the shell knows of it is put in.
  const open = line.has("e", "environment-overrides")
    ? [...make.values.keys()]
    : [...text.matchAll(/^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*\?=/gm)].map(([, name = ""]) => name);
  const loose = open.filter((name) => /^\w+$/.test(name) && !given.has(name));
  if (loose.length === 0) return;
  const fromShell = new Map(loose.map((name) => [name, ["$$", "{", name, "}"].join("")]));
  recipes(make, targets, new Map([...given, ...fromShell]), scene);
}

/** `NAME=value`: a shell and flags of it are code, and a value may hold `$(shell …)`. */
function assignment(word: Word, name: string, value: string, scene: Scene, given: Map<string, string>): void {
  if (
    word.text === undefined ||
    /[$`;|&<>]/.test(value) ||
    /^(?:SHELL|\.SHELLFLAGS|MAKEFLAGS|MAKE|CC|CXX|LD|AR|PATH)$/.test(name)
  )
    return scene.unknown("code");
  scene.set(word);
  given.set(name, value);
}

function recipes(
  { values, rules }: Makefile,
  targets: readonly string[],
  given: ReadonlyMap<string, string>,
  scene: Scene,
): void {
  const first = rules.flatMap((rule) => rule.targets).find((name) => !/^\.|%/.test(name));
  const open = targets.length > 0 ? [...targets] : first === undefined ? [] : [first];
  const done = new Set<string>();
  for (let target = open.shift(); target !== undefined; target = open.shift()) {
    if (done.has(target) || done.size > MOST) continue;
    done.add(target);
    for (const rule of rules) {
      const stem = stemOf(target, rule.targets);
      if (stem === undefined) continue;
      const needs = rule.needs.map((need) => need.replace("%", stem));
      open.push(...needs);
      const known = new Map([
        ...values,
        ...given,
        ["@", target],
        ["<", needs[0] ?? ""],
        ["^", needs.join(" ")],
        ["*", stem],
        ["MAKE", "make"],
      ]);
      for (const each of rule.recipe) {
        const command = expanded(each.replace(/^[\s@+-]+/, ""), known);
        if (command !== "") scene.own(literal(command));
      }
    }
  }
}

/** What `%` stands for when a rule makes the target, "" in a rule without; `undefined` when it makes others. */
function stemOf(target: string, names: readonly string[]): string | undefined {
  if (names.includes(target)) return "";
  for (const name of names) {
    const [before = "", after, more] = name.split("%");
    if (after === undefined || more !== undefined || target.length <= before.length + after.length) continue;
    if (target.startsWith(before) && target.endsWith(after))
      return target.slice(before.length, target.length - after.length);
  }
  return undefined;
}
