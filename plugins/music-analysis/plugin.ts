import { definePlugin } from "skillctl";
import { AskCommand } from "./ask-command.ts";
import { ASKING, Asking } from "./asking.ts";
import { CHOICES, Choices } from "./choices.ts";
import { ChatSyncCommand } from "./chat-sync-command.ts";
import { ANALYSIS_CLIENT, AnalysisClient } from "./client.ts";
import type { Contract } from "./contract.ts";
import { CONVERSATIONS, Conversations } from "./conversation/conversations.ts";
import { LEDGER, Ledger } from "./conversation/ledger.ts";
import { NoSongFallbackRule } from "./no-song-fallback-rule.ts";
import { PRESENTATION, Presentation } from "./presentation.ts";
import { SERVICE, Service } from "./service.ts";
import { SongsCommand } from "./songs-command.ts";
import { VerbatimReplyRule } from "./verbatim-reply-rule.ts";

export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(SERVICE, Service);
    wiring.single(ANALYSIS_CLIENT, AnalysisClient);
    wiring.single(CONVERSATIONS, Conversations);
    wiring.single(LEDGER, Ledger);
    wiring.single(ASKING, Asking);
    wiring.single(CHOICES, Choices);
    wiring.single(PRESENTATION, Presentation);
  },
  commands: { ask: AskCommand, "chat-sync": ChatSyncCommand, songs: SongsCommand },
  routes: {},
  rules: { "no-song-fallback": NoSongFallbackRule, "verbatim-reply": VerbatimReplyRule },
});
