import type { Call, Stream } from "./call.ts";
import { readWords, type OptionValues } from "./options.ts";
import rows from "./programs.json" with { type: "json" };
import { SPECIAL_PROGRAMS } from "./special-programs.ts";
import type { Word } from "./words.ts";

/** A program or a subcommand of one, in `programs.json`. Lists are words with blanks between them. */
export interface ProgramRow {
  /**
   * What is done with its operands: `read`, `write`, `fetch`, `folder`, `script` (its text is run), `text` (run by a
   * shell), `code` (run by something else), `value` (nothing). The last one holds for all that follow.
   */
  readonly operands?: string;
  /** The first operand is missing where one of these options is there, as the pattern of grep is. */
  readonly given?: string;
  /** Options with a value, as `NAME:ROLE`; without a role nothing is done with it, `NAME?` has it in the same word only. */
  readonly options?: string;
  /** With one of these options what is read is written. */
  readonly inPlace?: string;
  /** With one of these options it only shows what it would do. */
  readonly dry?: string;
  /** Operands before a program with its own words. */
  readonly starts?: number;
  /** Its first operand ends the options. */
  readonly stops?: boolean;
  /** Files that it writes whatever its words are. */
  readonly writes?: string;
  /** What `SPECIAL_PROGRAMS` does with its words. */
  readonly special?: string;
  readonly subcommands?: Readonly<Record<string, ProgramRow>>;
}

const TABLE = byName(rows);
const SUBCOMMANDS = new WeakMap<ProgramRow, ReadonlyMap<string, ProgramRow>>();

/** Finds what a program does by its row. Answers what it writes on standard output, where that is literal. */
export function perform(call: Call): Stream {
  const row = TABLE.get(call.name) ?? TABLE.get(call.name.replace(/[\d.]+$/, ""));
  if (row) follow(row, call, call.args);
  return output(call);
}

function follow(row: ProgramRow, call: Call, args: readonly Word[]): void {
  const stops = row.starts !== undefined || row.subcommands !== undefined || row.stops === true;
  const read = readWords(args, optionValues(row), stops);
  const roles = new Map(
    listed(row.options).map((part) => [part.split(/[?:]/)[0] ?? "", part.split(":")[1]] as const),
  );
  // Folders first: the other words are relative to them.
  for (const isFolder of [true, false])
    for (const { name, value } of read.options)
      if (value && (roles.get(name) === "folder") === isFolder) play(roles.get(name), value, call);
  const { operands, has } = read;
  if (row.starts !== undefined) return call.start(operands.slice(row.starts));
  if (row.subcommands) {
    const sub = subcommandsOf(row).get(operands[0]?.text ?? "");
    return sub && follow(sub, call, operands.slice(1));
  }
  if (has(...listed(row.dry))) return;
  for (const text of listed(row.writes)) call.write({ text, known: true });
  const [first, ...others] = listed(row.operands);
  const list = first === undefined || has(...listed(row.given)) ? others : [first, ...others];
  const isInPlace = has(...listed(row.inPlace));
  for (const [index, word] of operands.entries()) {
    const role = list[Math.min(index, list.length - 1)];
    play(isInPlace && role === "read" ? "write" : role, word, call);
  }
  if (row.special !== undefined) SPECIAL_PROGRAMS[row.special]?.(call, read);
}

function play(role: string | undefined, word: Word, call: Call): void {
  switch (role) {
    case "read":
      return call.read(word);
    case "write":
      return call.write(word);
    case "fetch":
      return call.fetch(word);
    case "folder":
      return call.folder(word);
    case "script":
      return call.script(word);
    case "text":
      return call.text(word);
    case "code":
      return call.unknown("code");
    // A file in which further addresses stand.
    case "config":
      call.read(word);
      return call.unknown("address");
    default:
  }
}

function optionValues(row: ProgramRow): OptionValues {
  return new Map(
    listed(row.options).map((part) => {
      const [name = ""] = part.split(":");
      return [name.replace("?", ""), name.endsWith("?") ? "attached" : "needed"];
    }),
  );
}

function subcommandsOf(row: ProgramRow): ReadonlyMap<string, ProgramRow> {
  const known = SUBCOMMANDS.get(row) ?? byName(row.subcommands ?? {});
  SUBCOMMANDS.set(row, known);
  return known;
}

function byName(named: Readonly<Record<string, ProgramRow>>): ReadonlyMap<string, ProgramRow> {
  return new Map(
    Object.entries(named).flatMap(([names, row]) => names.split(" ").map((name) => [name, row] as const)),
  );
}

function listed(text = ""): readonly string[] {
  return text.split(" ").filter((part) => part !== "");
}

/** A text that is echoed, or handed on by `cat`: a shell or xargs behind a pipe may read it. */
function output({ name, args, stdin }: Call): Stream {
  const words = args.filter(({ text }) => text !== "-n" || name !== "echo").map(({ text }) => text);
  if (name === "cat" && args.length === 0) return stdin;
  if (args.some(({ known }) => !known) || args.some(({ text }) => /[%\\]/.test(text))) return undefined;
  if (name === "echo" && !args.some(({ text }) => /^-[eE]/.test(text))) return `${words.join(" ")}\n`;
  return name === "printf" && words.length === 1 ? words[0] : undefined;
}
