import { definePlugin } from "skillctl";
import { AppendRoute } from "./append-route.ts";
import { ClearRoute } from "./clear-route.ts";
import type { Contract } from "./contract.ts";
import { DoctorCommand } from "./doctor-command.ts";
import { HealthRoute } from "./health-route.ts";
import { LogsCommand } from "./logs-command.ts";
import { SESSION, SessionHolder } from "./open-session.ts";
import { QueryRoute } from "./query-route.ts";
import { RunRoute } from "./run-route.ts";
import { ServeCommand } from "./serve-command.ts";
import { BACKGROUND_START, BackgroundStart } from "./server/background-start.ts";
import { SESSION_HOMES, SessionHomes } from "./server/session-home.ts";
import { SESSION_SERVERS, SessionServers } from "./server/session-servers.ts";

/** The debug server and the reading of what it collects. */
export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(SESSION, SessionHolder);
    wiring.single(SESSION_HOMES, SessionHomes);
    wiring.single(SESSION_SERVERS, SessionServers);
    wiring.single(BACKGROUND_START, BackgroundStart);
  },
  commands: { serve: ServeCommand, logs: LogsCommand, doctor: DoctorCommand },
  routes: {
    append: AppendRoute,
    query: QueryRoute,
    clear: ClearRoute,
    health: HealthRoute,
    run: RunRoute,
  },
  rules: {},
});
