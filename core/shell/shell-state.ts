import type { Function as FunctionNode } from "unbash";

/** What a shell knows where it stands in a text. */
export class ShellState {
  /** Values that the text itself gives; `undefined` for one that is not literal. */
  readonly variables: Map<string, string | undefined>;
  readonly functions: Map<string, FunctionNode>;

  constructor(
    /** Absolute; `undefined` when it is not known. */
    public cwd: string | undefined,
    before?: ShellState,
  ) {
    this.variables = new Map(before?.variables);
    this.functions = new Map(before?.functions);
  }

  copy(): ShellState {
    return new ShellState(this.cwd, this);
  }

  /** After something that may have been run or not: what differs is not known any more. */
  join(maybe: ShellState): void {
    if (maybe.cwd !== this.cwd) this.cwd = undefined;
    for (const [name, value] of maybe.variables)
      if (!this.variables.has(name) || this.variables.get(name) !== value)
        this.variables.set(name, undefined);
    for (const [name, body] of maybe.functions) this.functions.set(name, body);
  }
}
