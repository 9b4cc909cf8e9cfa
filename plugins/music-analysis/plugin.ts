import { definePlugin } from "skillctl";
import { AGENT_TURNS, AgentTurns } from "./agent/agent-turns.ts";
import { OUTCOMES, Outcomes } from "./agent/outcomes.ts";
import { AskCommand } from "./ask-command.ts";
import { ASKING, Asking } from "./asking.ts";
import { CHOICES, Choices } from "./choices.ts";
import { ChatSyncCommand } from "./chat-sync-command.ts";
import { ChoiceWaitsRule } from "./choice-waits-rule.ts";
import { ANALYSIS_CLIENT, AnalysisClient } from "./client.ts";
import type { Contract } from "./contract.ts";
import { CONVERSATIONS, Conversations } from "./conversation/conversations.ts";
import { LEDGER, Ledger } from "./conversation/ledger.ts";
import { NoProductNameRule } from "./no-product-name-rule.ts";
import { NoRetryRule } from "./no-retry-rule.ts";
import { NoSongFallbackRule } from "./no-song-fallback-rule.ts";
import { PRESENTATION, Presentation } from "./presentation.ts";
import { ReplyUnchangedRule } from "./reply-unchanged-rule.ts";
import { SERVICE, Service } from "./service.ts";
import { SongsCommand } from "./songs-command.ts";
import { TierCNoAttemptRule } from "./tier-c-no-attempt-rule.ts";
import { VerbatimReplyRule } from "./verbatim-reply-rule.ts";
import { WholeReplyRule } from "./whole-reply-rule.ts";

export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(SERVICE, Service);
    wiring.single(ANALYSIS_CLIENT, AnalysisClient);
    wiring.single(CONVERSATIONS, Conversations);
    wiring.single(LEDGER, Ledger);
    wiring.single(ASKING, Asking);
    wiring.single(CHOICES, Choices);
    wiring.single(PRESENTATION, Presentation);
    wiring.single(OUTCOMES, Outcomes);
    wiring.single(AGENT_TURNS, AgentTurns);
  },
  commands: { ask: AskCommand, "chat-sync": ChatSyncCommand, songs: SongsCommand },
  routes: {},
  rules: {
    "no-song-fallback": NoSongFallbackRule,
    "verbatim-reply": VerbatimReplyRule,
    "reply-unchanged": ReplyUnchangedRule,
    "no-product-name": NoProductNameRule,
    "no-retry": NoRetryRule,
    "tier-c-no-attempt": TierCNoAttemptRule,
    "choice-waits": ChoiceWaitsRule,
    "whole-reply": WholeReplyRule,
  },
});
