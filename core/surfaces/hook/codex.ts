import agents from "../../guard/own/agents.json" with { type: "json" };
import { claudeDialect } from "./claude-code.ts";
import { command, type HookClient } from "./client.ts";

/**
 * Codex, as the schemas in codex-rs/hooks/schema/generated and the parser in codex-rs/hooks/src/engine/output_parser.rs of
 * github.com/openai/codex stated in October 2026: closed objects; permissionDecision `ask`, and `allow` without an updated
 * input, count as errors, and after an error the call runs. A changed input with `allow` is used and does not skip an
 * approval. Exit status 2 denies only with a reason on standard error. Codex shows the call itself beside the reason.
 *
 * Codex: developers.openai.com/codex/hooks and codex-rs/config/src/hook_config.rs, codex-rs/hooks of
 * github.com/openai/codex, read November 2026. `timeout` is in seconds. A late hook counts as an error, and the call runs;
 * a setting for that is requested in openai/codex#41979. A file with comments or a byte order mark is ignored (tried with
 * 0.169.0).
 */
export const CODEX: HookClient = {
  ...agents.codex,
  ...claudeDialect({
    name: "codex",
    events: {
      SessionStart: "session.start",
      UserPromptSubmit: "prompt.submit",
      PreToolUse: "tool.pre",
      PostToolUse: "tool.post",
      Stop: "turn.stop",
    },
    unsupported: { "tool.pre": { ask: "deny" } },
  }),
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
  switchedOff: () => false,
  switches: {
    file: "config.toml",
    off: /^[ \t]*features\.hooks[ \t]*=[ \t]*false|^[ \t]*\[features\][^[]*\n[ \t]*hooks[ \t]*=[ \t]*false/m,
  },
};
