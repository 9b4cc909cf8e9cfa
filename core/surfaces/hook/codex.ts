import type { GuardEvent } from "../../plugin.ts";
import { answer, says } from "./claude-code.ts";
import { blocked, type Dialect } from "./dialect.ts";
import { heardAs } from "./heard.ts";

/**
 * Codex, as the schemas in codex-rs/hooks/schema/generated and the parser in codex-rs/hooks/src/engine/output_parser.rs of
 * github.com/openai/codex said in October 2026: closed objects; permissionDecision `ask`, and `allow` without an updated
 * input, count as errors, and after an error the call is run. A changed input with `allow` is taken over and skips no
 * approval. Exit status 2 denies only with a reason on standard error. Codex shows the call itself beside the reason.
 */
const EVENTS: Readonly<Record<string, GuardEvent>> = {
  SessionStart: "session.start",
  UserPromptSubmit: "prompt.submit",
  PreToolUse: "tool.pre",
  PostToolUse: "tool.post",
  Stop: "turn.stop",
};

export const CODEX: Dialect = {
  name: "codex",
  hear: (event) => heardAs("codex", EVENTS, event),
  says: (decision, event) => says("codex", EVENTS, decision, event),
  answer: (decision, event) => answer("codex", EVENTS, decision, event),
  refuse: blocked,
};
