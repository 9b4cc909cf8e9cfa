import type { Word } from "./effects.ts";

/** What an option does with its value; see `follow.ts`. */
interface OptionRole {
  readonly role: string;
  /** Its value: in the same word only, the same or the next one, or none. */
  readonly value: "attached" | "needed" | "none";
}

/** How a program reads its words. */
export interface OptionTable {
  readonly roles: ReadonlyMap<string, OptionRole>;
  /** The first word that is no option ends them, as with `env`. */
  readonly stops: boolean;
  /** Long options have one dash, as with `find`. */
  readonly single: boolean;
  /** Long names stand in full. */
  readonly exact: boolean;
}

export interface Option {
  readonly name: string;
  readonly value?: Word;
}

interface ReadWords {
  readonly options: readonly Option[];
  readonly operands: readonly Word[];
  /** A word is not known that may be an option. */
  readonly unsure: boolean;
}

/** `o:w` (value), `i::w` (value in the same word only), `delete!w` (no value, but it matters), `+`, `-`, `=` (see above: stops, single, exact). */
export function optionTable(text: string): OptionTable {
  const parts = text.split(" ").filter((part) => part !== "");
  const roles = new Map<string, OptionRole>();
  for (const part of parts) {
    const match = /^([^:!]+?)(::|:|!)(\w*)$/.exec(part);
    if (match === null) continue;
    const [, name = "", kind = "", role = ""] = match;
    roles.set(name, {
      role: role === "" ? "v" : role,
      value: kind === "::" ? "attached" : kind === ":" ? "needed" : "none",
    });
  }
  return { roles, stops: parts.includes("+"), single: parts.includes("-"), exact: parts.includes("=") };
}

/** Reads words the way getopt does: bundles, `--name=value`, shortened long names, `--`. */
export function readWords(args: readonly Word[], table: OptionTable): ReadWords {
  const options: Option[] = [];
  const operands: Word[] = [];
  let unsure = false;
  for (let index = 0; index < args.length; index++) {
    const word = args[index] ?? { text: "" };
    const text = word.text ?? word.known ?? "";
    if (word.text === "--") {
      operands.push(...args.slice(index + 1));
      break;
    }
    if (!text.startsWith("-") || word.text === "-") {
      operands.push(word);
      if (text === "" && word.text === undefined && (word.gapped?.length ?? 0) < 2) unsure = true;
      if (!table.stops) continue;
      operands.push(...args.slice(index + 1));
      break;
    }
    const found = text.startsWith("--") || table.single ? long(word, table) : short(word, table);
    options.push(...found.options);
    unsure ||= found.unsure;
    if (found.waits === undefined) continue;
    const value = args[++index];
    options.push(value === undefined ? { name: found.waits } : { name: found.waits, value });
  }
  return { options, operands, unsure };
}

interface Found {
  readonly options: readonly Option[];
  /** The option whose value is the next word. */
  readonly waits?: string;
  readonly unsure: boolean;
}

function rest(word: Word, from: number): Word {
  if (word.text !== undefined) return { text: word.text.slice(from) };
  return { text: undefined, known: (word.known ?? "").slice(from) };
}

function long(word: Word, table: OptionTable): Found {
  const text = word.text ?? word.known ?? "";
  const start = text.startsWith("--") ? 2 : 1;
  const equals = text.indexOf("=");
  if (equals === -1 && word.text === undefined) return { options: [], unsure: true };
  const name = fullName(text.slice(start, equals === -1 ? undefined : equals), table);
  if (equals !== -1) return { options: [{ name, value: rest(word, equals + 1) }], unsure: false };
  if (table.roles.get(name)?.value === "needed") return { options: [], waits: name, unsure: false };
  return { options: [{ name }], unsure: false };
}

function fullName(name: string, table: OptionTable): string {
  if (table.exact || table.roles.has(name) || name.length < 2) return name;
  for (const known of table.roles.keys()) if (known.length > 1 && known.startsWith(name)) return known;
  return name;
}

function short(word: Word, table: OptionTable): Found {
  const text = word.text ?? word.known ?? "";
  const options: Option[] = [];
  for (let at = 1; at < text.length; at++) {
    const name = text.charAt(at);
    const kind = table.roles.get(name)?.value ?? "none";
    const ends = at === text.length - 1;
    if (kind === "none" || (kind === "attached" && ends && word.text !== undefined)) {
      options.push({ name });
      continue;
    }
    if (ends && word.text !== undefined) return { options, waits: name, unsure: false };
    options.push({ name, value: rest(word, at + 1) });
    return { options, unsure: false };
  }
  return { options, unsure: word.text === undefined };
}
