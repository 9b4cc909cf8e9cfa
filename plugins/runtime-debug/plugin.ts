import { definePlugin } from "skillctl";
import { AppendRoute } from "./append-route.ts";
import { ClearRoute } from "./clear-route.ts";
import type { Contract } from "./contract.ts";
import { DoctorCommand } from "./doctor-command.ts";
import { HealthRoute } from "./health-route.ts";
import { LateQueryRoute } from "./late-query-route.ts";
import { LogsCommand } from "./logs-command.ts";
import { SESSION, SessionHolder } from "./open-session.ts";
import { RunRoute } from "./run-route.ts";
import { ServeCommand } from "./serve-command.ts";

/** The debug server and the reading of what it collects. */
export default definePlugin<Contract>({
  wire: (wiring) => wiring.single(SESSION, SessionHolder),
  commands: { serve: ServeCommand, logs: LogsCommand, doctor: DoctorCommand },
  routes: {
    append: AppendRoute,
    query: LateQueryRoute,
    clear: ClearRoute,
    health: HealthRoute,
    run: RunRoute,
  },
  rules: {},
});
