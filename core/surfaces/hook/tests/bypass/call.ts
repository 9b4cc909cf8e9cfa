/**
 * What a call does when nobody stops it: `code` changes the project's code, `session` its debug session or what the
 * guard keeps, `token` brings the login token to light, `service` reaches the analysis service. `none` does none of it.
 * `untried` cannot be run here, or does not hurt this very project.
 */
export type Effect = "code" | "session" | "token" | "service" | "none" | "untried";

/**
 * `ask`: the guard may also be stricter. `told`: nobody can see before the call what it does; what it has changed is told
 * after it.
 */
export type Expected = "deny" | "ask" | "told" | "allow";

export interface ToolCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** One call of a tool in Claude Code's shape: a string is a command of its tool Bash. */
export interface BypassCall {
  readonly call: string | ToolCall;
  readonly expected: Expected;
  readonly effect: Effect;
  /** Why, in one line. */
  readonly why: string;
  /** Where the debug session of the project is. Default: instrumenting; `none` is no session at all. */
  readonly phase?: "none" | "observing" | "instrumenting";
}

export type Row = readonly [Expected, Effect, string | ToolCall, string];

export function calls(rows: readonly Row[], phase?: BypassCall["phase"]): readonly BypassCall[] {
  return rows.map(([expected, effect, call, why]) => ({
    expected,
    effect,
    call,
    why,
    ...(phase && { phase }),
  }));
}
