import { SkillError } from "../../../errors/skill-error.ts";
import { CLAUDE_CODE as claudeCode, CODEX as codex } from "../claude-code.ts";
import { CURSOR as cursor } from "../cursor.ts";
import type { Dialect } from "../dialect.ts";
import { GEMINI as gemini } from "../gemini.ts";

/** Where the settings of an agent hold: for one project, or for everything that the person does. */
export type HookScope = "project" | "user";

/** What becomes of a call when the guard gives no answer: it is stopped, or goes on as if there were no guard. */
export type WithoutAnswer = "denied" | "let through";

/** A hook as it stands in the settings. */
type Hook = Readonly<Record<string, unknown>>;

/** An agent that has hooks: where it keeps them, in which form, and what it does when one fails. */
export interface HookClient {
  /** As in `--client` and `--dialect`. */
  readonly name: string;
  readonly title: string;
  /** The file with its hooks, from the project's folder or the home, with /. */
  readonly file: string;
  /** The variable that names another folder than that of `file` in the home. */
  readonly home?: string;
  /** A file beside it whose settings hold too. */
  readonly beside?: string;
  /** Those that its dialect hears. */
  readonly events: Dialect["events"];
  /** `groups`: each event has groups of hooks. `flat`: each event has hooks. */
  readonly form: "groups" | "flat";
  /** What stands in the file beside the hooks. */
  readonly head: Readonly<Record<string, unknown>>;
  /** One hook that runs a command; `isEnd`: where the agent would stop, and a hook that fails lets it, since it would go on for ever otherwise. */
  readonly hook: (command: string, isEnd: boolean) => Hook;
  /** One that asks a running `skillctl serve`, where the agent has such, and the events at which it has none. */
  readonly http?: {
    readonly hook: (url: string, isEnd: boolean) => Hook;
    readonly without: readonly string[];
  };
  /**
   * A hook that is late. One that fails or whose file is missing is denied at every event but those: its command ends with
   * status 2; but on Windows, where no shell is certain, that is as with a late one.
   */
  readonly late: WithoutAnswer;
  /** What the person can do about it; what else has to be known. */
  readonly remedy: string;
  /** What JSON parsers do not know, and this agent's does: with it in the file, others read none of their settings. */
  readonly reads: readonly ("comments" | "mark")[];
  /** What has to be done or to be so before it runs hooks of a scope. */
  readonly before: Partial<Readonly<Record<HookScope, string>>>;
  /** Whether settings switch off all hooks, or ours. */
  readonly switchedOff: (settings: Readonly<Record<string, unknown>>) => boolean;
}

/** How long an agent waits for a hook, in seconds: longer than the guard takes to read, ask and deny. */
export const WAIT_S = 60;

/** Where hooks of the type `http` find the key of the server. */
export const KEY_VARIABLE = "SKILLCTL_KEY";

const command = (line: string, more: object = {}): Hook => ({
  type: "command",
  command: line,
  timeout: WAIT_S,
  ...more,
});
const never = (): boolean => false;
/** A word for hooks that agents hold to their failure, where that stops a call. */
const unlessEnd = (isEnd: boolean, word: object): object => (isEnd ? {} : word);

/**
 * Claude Code: code.claude.com/docs/en/hooks, read November 2026. `timeout` is in seconds; `onFailure: "block"` is new in
 * 2.1.295 (release notes of 8 October 2026): 2.1.332 denies a late hook's call, 2.1.197 passes over it and lets it through.
 * Settings with comments are not read (tried with 2.1.197). A hook of the type `http` gets the event as a POST; any status
 * but 2xx is a failed hook. At SessionStart there is none.
 */
const CLAUDE_CODE: HookClient = {
  name: "claude-code",
  title: "Claude Code",
  file: ".claude/settings.json",
  home: "CLAUDE_CONFIG_DIR",
  beside: "settings.local.json",
  events: claudeCode.events,
  form: "groups",
  head: {},
  hook: (line, isEnd) => command(line, unlessEnd(isEnd, { onFailure: "block" })),
  http: {
    hook: (url, isEnd) => ({
      type: "http",
      url,
      headers: { Authorization: `Bearer $${KEY_VARIABLE}` },
      allowedEnvVars: [KEY_VARIABLE],
      timeout: WAIT_S,
      ...unlessEnd(isEnd, { onFailure: "block" }),
    }),
    without: ["SessionStart"],
  },
  late: "denied",
  remedy: "Needs Claude Code 2.1.295; older ones let calls through whose hook is late.",
  reads: ["mark"],
  before: { project: "Claude Code runs hooks of a project once its folder is trusted." },
  switchedOff: ({ disableAllHooks }) => disableAllHooks === true,
};

/**
 * Codex: developers.openai.com/codex/hooks and codex-rs/config/src/hook_config.rs, codex-rs/hooks of
 * github.com/openai/codex, read November 2026. `timeout` is in seconds. A late hook counts as an error, and the call runs;
 * a switch for that is asked for in openai/codex#41979. A file with comments or a byte order mark is not read (tried with
 * 0.169.0).
 */
const CODEX: HookClient = {
  name: "codex",
  title: "Codex",
  file: ".codex/hooks.json",
  home: "CODEX_HOME",
  events: codex.events,
  form: "groups",
  head: {},
  hook: (line) => command(line),
  late: "let through",
  remedy: "Codex has no switch for it (openai/codex#41979).",
  reads: [],
  before: {
    project:
      "Codex skips new and changed hooks until you have trusted the folder, and them: type /hooks in codex.",
    user: "Codex skips new and changed hooks until you have trusted them: type /hooks in codex.",
  },
  switchedOff: never,
};

/**
 * Cursor: cursor.com/docs/hooks, read November 2026. `failClosed` makes a denial of a hook that crashes, is late or
 * answers no JSON. preToolUse leaves its questions to beforeShellExecution and beforeMCPExecution: without them they are lost.
 */
const CURSOR: HookClient = {
  name: "cursor",
  title: "Cursor",
  file: ".cursor/hooks.json",
  events: cursor.events,
  form: "flat",
  head: { version: 1 },
  hook: (line, isEnd) => ({ command: line, timeout: WAIT_S, ...unlessEnd(isEnd, { failClosed: true }) }),
  late: "denied",
  remedy: "Needs a Cursor that knows failClosed; older ones let calls through whose hook is late.",
  reads: ["comments", "mark"],
  before: { project: "Cursor runs hooks of a project only in a workspace that is trusted." },
  switchedOff: never,
};

/**
 * Gemini CLI: docs/hooks of github.com/google-gemini/gemini-cli and packages/core/src/hooks/hookRunner.ts, August 2026.
 * `timeout` is in milliseconds. A late hook is a warning, and the call runs. Comments are read, a byte order mark is not
 * (tried with 0.61.0).
 */
const GEMINI: HookClient = {
  name: "gemini",
  title: "Gemini CLI",
  file: ".gemini/settings.json",
  events: gemini.events,
  form: "groups",
  head: {},
  hook: (line) => ({ name: "skillctl", type: "command", command: line, timeout: WAIT_S * 1000 }),
  late: "let through",
  remedy: "Gemini CLI has no switch for it.",
  reads: ["comments"],
  before: {
    project: "Gemini CLI runs hooks only in a folder that is trusted.",
    user: "Gemini CLI runs hooks only in a folder that is trusted.",
  },
  switchedOff: ({ hooksConfig }) => {
    const { enabled, disabled } = (hooksConfig ?? {}) as { enabled?: unknown; disabled?: unknown };
    return enabled === false || (Array.isArray(disabled) && disabled.includes("skillctl"));
  },
};

/** The agents whose hooks are known. */
export const CLIENTS: readonly HookClient[] = [CLAUDE_CODE, CODEX, CURSOR, GEMINI];

/** @throws SkillError `USAGE` */
export function clientOf(name: string | undefined): HookClient {
  const client = CLIENTS.find((one) => one.name === name);
  if (client) return client;
  const names = CLIENTS.map((one) => one.name).join(", ");
  throw new SkillError(
    "USAGE",
    name === undefined ? `--client is missing: one of ${names}.` : `--client must be one of ${names}.`,
  );
}
