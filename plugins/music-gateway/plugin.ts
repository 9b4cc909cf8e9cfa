import { ANALYSIS_SERVICE, definePlugin } from "skillctl";
import { AccountsCommand } from "./accounts-command.ts";
import { ChatSyncRoute } from "./chat-sync-route.ts";
import type { Contract } from "./contract.ts";
import { EmbeddedService } from "./embedded-service.ts";
import { ENGINE, Engine } from "./engine.ts";
import { GATEWAY_KEY, GatewayKey } from "./gateway-key.ts";
import { ImportCommand } from "./import-command.ts";
import { LIBRARY, Library } from "./library.ts";
import { QUOTA, Quota } from "./quota.ts";
import { REHEARSAL, Rehearsal } from "./rehearsal.ts";
import { ServeCommand } from "./serve-command.ts";

/** The analysis service in the box: the remote contract, answered from files on this machine. */
export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(LIBRARY, Library);
    wiring.single(ENGINE, Engine);
    wiring.single(QUOTA, Quota);
    wiring.single(GATEWAY_KEY, GatewayKey);
    wiring.single(REHEARSAL, Rehearsal);
    wiring.single(ANALYSIS_SERVICE, EmbeddedService);
  },
  commands: { import: ImportCommand, serve: ServeCommand, accounts: AccountsCommand },
  routes: { "chat-sync": ChatSyncRoute },
  rules: {},
});
