import { definePlugin } from "skillctl";
import { AGENT_TURNS, AgentTurns, OUTCOMES, Outcomes } from "./agent/outcomes.ts";
import {
  ChoiceWaitsRule,
  NoProductNameRule,
  NoRetryRule,
  NoSongFallbackRule,
  ReplyUnchangedRule,
  TierCNoAttemptRule,
  VerbatimReplyRule,
  WholeReplyRule,
} from "./agent/rules.ts";
import { PICTURES, Pictures } from "./answer/pictures.ts";
import { PRESENTATION, Presentation } from "./answer/presentation.ts";
import { PRODUCT_NAMES, ProductNames } from "./answer/product-names.ts";
import { AskCommand } from "./ask-command.ts";
import { ChatSyncCommand } from "./chat-sync-command.ts";
import { ANALYSIS_CLIENT, AnalysisClient } from "./client.ts";
import type { Contract } from "./contract.ts";
import { CONVERSATIONS, Conversations } from "./conversation/conversation.ts";
import { ROUNDS, Rounds } from "./round.ts";
import { SENT_TOKENS, SentTokens } from "./sent-tokens.ts";
import { SERVICE, Service } from "./service.ts";
import { SongsCommand } from "./songs-command.ts";

export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(SERVICE, Service);
    wiring.single(SENT_TOKENS, SentTokens);
    wiring.single(ANALYSIS_CLIENT, AnalysisClient);
    wiring.single(CONVERSATIONS, Conversations);
    wiring.single(ROUNDS, Rounds);
    wiring.single(PRODUCT_NAMES, ProductNames);
    wiring.single(PRESENTATION, Presentation);
    wiring.single(PICTURES, Pictures);
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
