import type { Function as FunctionNode } from "unbash";
import type { Folders } from "./facts.ts";
import { ANY_DESCRIPTOR, eitherDescriptors, type Descriptors } from "./descriptors.ts";
import type { StandardInput, Word } from "./programs/effects.ts";
import { UNKNOWN_VARIABLE, type Variable } from "./variable.ts";

const MOST_FOLDERS = 4;

/** Names and what they stand for; those that a trap may set at any time are not known. */
export class Variables extends Map<string, Variable> {
  unsteady: ReadonlySet<string> = new Set();

  constructor(entries: Iterable<readonly [string, Variable]>, unsteady: ReadonlySet<string>) {
    super(entries);
    this.unsteady = unsteady;
  }

  override get(name: string): Variable | undefined {
    return this.unsteady.has(name) ? UNKNOWN_VARIABLE : super.get(name);
  }

  /** What was given last. */
  raw(name: string): Variable | undefined {
    return super.get(name);
  }
}

/** What a shell remembers between two commands, as far as the text tells. */
export class ShellState {
  cwds: Folders;
  variables = new Variables([], new Set());
  exported = new Set<string>();
  /** Every body that a name may have; `undefined` stands for none. */
  functions = new Map<string, readonly (FunctionNode["body"] | undefined)[]>();
  aliases = new Map<string, string>();
  /** `undefined` when they are not known. */
  positional: readonly Word[] | undefined = [];
  /** `$0`. */
  calledAs: Word = { text: undefined };
  stdin: StandardInput = { kind: "none" };
  /** Standard output went into a file by `exec`. */
  silenced = false;
  /** Options that change how words come about are set. */
  oddWords = false;
  /** Some value holds an index with a command in it. */
  indexedCode = false;
  descriptors: Descriptors = new Map();
  /** Texts of traps. */
  traps: readonly { readonly text: string; readonly last: boolean }[] = [];
  /** Folders of `pushd`. */
  stack: readonly Folders[] = [];
  /** What names meant before `local`, of the function that is being read. */
  locals: Map<string, Variable | undefined> | undefined;
  /** Where states go that leave a loop or a function before its end. */
  loops: ShellState[][] = [];
  returns: ShellState[] | undefined;

  constructor(cwds: Folders) {
    this.cwds = cwds;
  }

  clone(): ShellState {
    const copy = new ShellState(this.cwds);
    Object.assign(copy, this);
    copy.variables = new Variables(this.variables, this.variables.unsteady);
    copy.exported = new Set(this.exported);
    copy.functions = new Map(this.functions);
    copy.aliases = new Map(this.aliases);
    return copy;
  }

  /** What is left to rely on when it may be this or the other. */
  join(other: ShellState): void {
    this.cwds = eitherFolder(this.cwds, other.cwds);
    this.descriptors = eitherDescriptors(this.descriptors, other.descriptors);
    this.variables.unsteady = new Set([...this.variables.unsteady, ...other.variables.unsteady]);
    this.traps = [...new Set([...this.traps, ...other.traps])];
    this.indexedCode ||= other.indexedCode;
    for (const name of new Set([...this.variables.keys(), ...other.variables.keys()])) {
      const mine = this.variables.get(name);
      const others = other.variables.get(name);
      if (mine === undefined || others === undefined) this.variables.delete(name);
      else if (!same(mine, others)) this.variables.set(name, UNKNOWN_VARIABLE);
    }
    for (const name of other.exported) this.exported.add(name);
    for (const name of new Set([...this.functions.keys(), ...other.functions.keys()])) {
      const bodies = [
        ...(this.functions.get(name) ?? [undefined]),
        ...(other.functions.get(name) ?? [undefined]),
      ];
      this.functions.set(name, [...new Set(bodies)]);
    }
    for (const [name, text] of other.aliases) this.aliases.set(name, text);
    if (!same(this.positional, other.positional)) this.positional = undefined;
    if (!same(this.stack, other.stack)) this.stack = [];
    this.silenced &&= other.silenced;
    this.oddWords ||= other.oddWords;
  }

  /** Some time later: names that were given a value may have another by then. */
  forget(): void {
    for (const name of this.variables.keys()) this.variables.set(name, UNKNOWN_VARIABLE);
    this.cwds = undefined;
    this.descriptors = eitherDescriptors(this.descriptors, ANY_DESCRIPTOR);
    this.positional = undefined;
    this.stack = [];
  }

  sameAs(other: ShellState): boolean {
    return (
      same(this.cwds, other.cwds) &&
      same([...this.variables].sort(byName), [...other.variables].sort(byName)) &&
      same(this.positional, other.positional) &&
      same(this.stack, other.stack) &&
      same([...this.descriptors], [...other.descriptors]) &&
      this.variables.unsteady.size === other.variables.unsteady.size &&
      this.indexedCode === other.indexedCode &&
      [...this.functions].every(([name, bodies]) => bodies.length === other.functions.get(name)?.length) &&
      this.functions.size === other.functions.size &&
      this.oddWords === other.oddWords
    );
  }
}

export function eitherFolder(one: Folders, other: Folders): Folders {
  if (one === undefined || other === undefined) return undefined;
  const both = [...new Set([...one, ...other])];
  return both.length > MOST_FOLDERS ? undefined : both;
}

function same(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
