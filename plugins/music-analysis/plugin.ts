import { definePlugin } from "skillctl";
import { AskCommand } from "./ask-command.ts";
import { ASKING, Asking } from "./asking.ts";
import { ChatSyncCommand } from "./chat-sync-command.ts";
import { ANALYSIS_CLIENT, AnalysisClient } from "./client.ts";
import type { Contract } from "./contract.ts";
import { NoSongFallbackRule } from "./no-song-fallback-rule.ts";
import { PRESENTATION, Presentation } from "./presentation.ts";
import { SERVICE, Service } from "./service.ts";
import { VerbatimReplyRule } from "./verbatim-reply-rule.ts";

export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(SERVICE, Service);
    wiring.single(ANALYSIS_CLIENT, AnalysisClient);
    wiring.single(ASKING, Asking);
    wiring.single(PRESENTATION, Presentation);
  },
  commands: { ask: AskCommand, "chat-sync": ChatSyncCommand },
  routes: {},
  rules: { "no-song-fallback": NoSongFallbackRule, "verbatim-reply": VerbatimReplyRule },
});
