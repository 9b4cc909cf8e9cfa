import type { Word } from "./effects.ts";
import type { Option, OptionTable } from "./options.ts";
import { optionTable, readWords } from "./options.ts";
import type { Scene } from "./scene.ts";

/**
 * A program in one line: `OPERANDS | OPTIONS`. A role is one letter for each thing that is done with a word: `v` nothing,
 * `r` read, `w` write, `d` folder that others are relative to, `u` address, `h` host, `l` file with addresses, `s` text for a shell, `x` file that is run,
 * `c` code nobody reads, `n` work that cannot be seen from the words, `p` program nobody reads, `a` variable. The last operand's role holds for all further ones; `r* w`: the last is written;
 * `v?e,f r`: the first is left out when option e or f is there. `!cw` says what is unknown in any case. Options: `options.ts`.
 */
interface Habit {
  readonly operands: readonly string[];
  readonly options: OptionTable;
}

export interface Followed {
  readonly operands: readonly Word[];
  readonly options: readonly Option[];
  readonly has: (...names: readonly string[]) => boolean;
  /** Values of an option, in order. */
  readonly all: (...names: readonly string[]) => readonly Word[];
}

const parsed = new Map<string, Habit>();

function habit(text: string): Habit {
  const before = parsed.get(text);
  if (before !== undefined) return before;
  const bar = text.indexOf("|");
  const operands = (bar === -1 ? text : text.slice(0, bar)).split(" ").filter((part) => part !== "");
  const read = { operands, options: optionTable(bar === -1 ? "" : text.slice(bar + 1)) };
  parsed.set(text, read);
  return read;
}

/** Reads the words of a call by a habit, and does with each what its role says. */
export function follow(text: string, scene: Scene, args: readonly Word[] = scene.args): Followed {
  const { operands, options: table } = habit(text);
  const read = readWords(args, table);
  const has = (...names: readonly string[]) => read.options.some(({ name }) => names.includes(name));
  const all = (...names: readonly string[]) =>
    read.options.flatMap(({ name, value }) => (names.includes(name) && value !== undefined ? [value] : []));
  for (const pass of ["d", ""])
    for (const { name, value } of read.options) {
      const role = table.roles.get(name);
      if (role === undefined || (role.role === "d") !== (pass === "d")) continue;
      if (role.value === "none") unknownRole(role.role, scene);
      else if (value !== undefined) play(role.role, value, scene);
    }
  if (read.unsure)
    for (const { role } of table.roles.values()) unknownRole(role.replace(/[xcs]/g, "n"), scene);
  playOperands(operands, read.operands, scene, has);
  return { ...read, has, all };
}

function playOperands(
  roles: readonly string[],
  words: readonly Word[],
  scene: Scene,
  has: Followed["has"],
): void {
  const list: string[] = [];
  for (const role of roles) {
    const [name = "v", unless] = role.split("?");
    if (name.startsWith("!")) unknownRole(name.slice(1), scene);
    else if (unless === undefined || !has(...unless.split(","))) list.push(name);
  }
  const many = list.findIndex((role) => role.endsWith("*"));
  words.forEach((word, index) => {
    let role = list[Math.min(index, list.length - 1)] ?? "v";
    const fromEnd = words.length - index;
    if (many !== -1 && index >= many)
      role = fromEnd < list.length - many ? (list[list.length - fromEnd] ?? role) : (list[many] ?? role);
    play(role.replace("*", ""), word, scene);
  });
}

export function play(roles: string, word: Word, scene: Scene): void {
  for (const role of roles) {
    if (role === "w") scene.write(word);
    else if (role === "r") scene.read(word);
    else if (role === "d") scene.change(word);
    else if (role === "u" || role === "h") scene.url(word);
    else if (role === "s") scene.shell(word);
    else if (role === "l") {
      scene.read(word);
      scene.unknown("address");
    } else if (role === "x") scene.script(word);
    else if (role === "c") scene.unknown("code");
    else if (role === "n") scene.unknown("unlisted");
    else if (role === "p") scene.unknown("program");
    else if (role === "a") scene.set(word);
  }
}

/** A word of this role may be there, or be anything. */
export function unknownRole(roles: string, scene: Scene): void {
  for (const role of roles) {
    if (role === "w") scene.unknown("write");
    else if (role === "r" || role === "d") scene.unknown("read");
    else if (role === "u" || role === "h" || role === "l") scene.unknown("address");
    else if (role === "n") scene.unknown("unlisted");
    else if (role === "p") scene.unknown("program");
    else if (role !== "v" && role !== "a") scene.unknown("code");
  }
}
