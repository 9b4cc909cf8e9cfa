import { claudeAnswer } from "./claude-code.ts";
import { hookClient } from "./client.ts";

/**
 * Codex: developers.openai.com/codex/hooks, and codex-rs/hooks and codex-rs/config/src/hook_config.rs of
 * github.com/openai/codex, read November 2026. Answers are closed objects. permissionDecision `ask`, and `allow` without an
 * updated input, count as errors, and after an error the call runs. A changed input with `allow` is used and does not skip an
 * approval. Exit status 2 denies only with a reason on standard error. Codex shows the call itself next to the reason.
 *
 * `timeout` is in seconds. A late hook counts as an error, and the call runs; a setting for that is requested in
 * openai/codex#41979. A file with comments or a byte order mark is ignored (tried with 0.169.0).
 */
export const CODEX = hookClient("codex", {
  answer: claudeAnswer,
  switches: {
    file: "config.toml",
    off: /^[ \t]*features\.hooks[ \t]*=[ \t]*false|^[ \t]*\[features\][^[]*\n[ \t]*hooks[ \t]*=[ \t]*false/m,
  },
});
