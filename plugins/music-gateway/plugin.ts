import { definePlugin } from "skillctl";
import { ANALYSIS_SERVICE } from "../ports.ts";
import { CHAT_SYNC, ChatSyncRoute, GATEWAY_KEY, GatewayKey } from "./chat-sync-route.ts";
import type { Contract } from "./contract.ts";
import { EmbeddedService } from "./embedded-service.ts";
import { ExplainCommand } from "./explain-command.ts";
import { FilesCommand } from "./files-command.ts";
import { ImportCommand } from "./import-command.ts";
import { LAST_QUESTIONS, LastQuestions } from "./last-questions.ts";
import { QueryCommand } from "./query-command.ts";
import { RemoveCommand } from "./remove-command.ts";
import { ReportCommand } from "./report-command.ts";
import { ReportRoute } from "./report-route.ts";
import { REPORTS, Reports } from "./reports.ts";
import { ResetCommand } from "./reset-command.ts";
import { ServeCommand } from "./serve-command.ts";
import { COLLECTIONS, Collections } from "./library/collections.ts";
import { LIBRARY, Library } from "./library/library.ts";

/** The embedded analysis service: it implements the remote contract with files on this machine. */
export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(LIBRARY, Library);
    wiring.single(COLLECTIONS, Collections);
    wiring.single(LAST_QUESTIONS, LastQuestions);
    wiring.single(REPORTS, Reports);
    wiring.single(GATEWAY_KEY, GatewayKey);
    wiring.single(CHAT_SYNC, ChatSyncRoute);
    wiring.single(ANALYSIS_SERVICE, EmbeddedService);
  },
  commands: {
    import: ImportCommand,
    files: FilesCommand,
    remove: RemoveCommand,
    reset: ResetCommand,
    explain: ExplainCommand,
    query: QueryCommand,
    report: ReportCommand,
    serve: ServeCommand,
  },
  routes: { "chat-sync": ChatSyncRoute, report: ReportRoute },
  rules: {},
});
