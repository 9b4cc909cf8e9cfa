/**
 * The state of a shell at one place of a text: its folders, its home folder, and the variables that the text has
 * assigned.
 */
export class ShellState {
  /** The folder before the last change, as `cd -` and `$OLDPWD` name it; `undefined` if unknown. */
  previous: string | undefined;
  /** The folders on the stack of `pushd`, the last one first; `undefined` for an unknown one. */
  stack: readonly (string | undefined)[] = [];

  constructor(
    /** Absolute; `undefined` if unknown. */
    public cwd: string | undefined,
    /** The value of `HOME`, absolute; `undefined` after the text has assigned it. */
    public home: string | undefined,
    readonly assigned = new Set<string>(),
    /** Whether patterns match names that begin with a dot. */
    public hasDots = false,
  ) {}

  /** The state of a branch, a subshell or a program; changes in it do not reach this one. */
  branch(): ShellState {
    const { cwd, home, assigned, hasDots, previous, stack } = this;
    return Object.assign(new ShellState(cwd, home, new Set(assigned), hasDots), { previous, stack });
  }

  /** Changes the folder. */
  enter(folder: string | undefined): void {
    [this.previous, this.cwd] = [this.cwd, folder];
  }

  /**
   * Continues after a branch that may or may not have run: its folders and home folder are known only if both agree.
   */
  join(branch: ShellState): void {
    if (branch.cwd !== this.cwd) this.cwd = undefined;
    if (branch.home !== this.home) this.home = undefined;
    if (branch.previous !== this.previous) this.previous = undefined;
    if (branch.stack !== this.stack) this.stack = [undefined];
  }

  /** The text has assigned a variable. Values are not followed. */
  assign(name: string): void {
    this.assigned.add(name);
    if (name === "HOME") this.home = undefined;
    if (name === "GLOBIGNORE" || name === "dotglob") this.hasDots = true;
  }
}
