/** The state of a shell at one place of a text: its folder, its home, and the variables that the text has assigned. */
export class ShellState {
  constructor(
    /** Absolute; `undefined` when unknown. */
    public cwd: string | undefined,
    /** The value of `HOME`, absolute; `undefined` after the text has assigned it. */
    public home: string | undefined,
    readonly assigned = new Set<string>(),
    /** Whether patterns match names that begin with a dot. */
    public hasDots = false,
  ) {}

  /** The state of a branch, a subshell or a program; changes in it do not reach this one. */
  branch(): ShellState {
    return new ShellState(this.cwd, this.home, new Set(this.assigned), this.hasDots);
  }

  /** Continues after a branch that may or may not have run: its folder and home hold only where both agree. */
  join(branch: ShellState): void {
    if (branch.cwd !== this.cwd) this.cwd = undefined;
    if (branch.home !== this.home) this.home = undefined;
  }

  /** A variable has a value of the text from here on. Values are not followed. */
  assign(name: string): void {
    this.assigned.add(name);
    if (name === "HOME") this.home = undefined;
    if (name === "GLOBIGNORE" || name === "dotglob") this.hasDots = true;
  }
}
