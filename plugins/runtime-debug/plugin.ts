import { definePlugin } from "skillctl";
import { AnswerCommand } from "./commands/answer-command.ts";
import { BackCommand } from "./commands/back-command.ts";
import { CheckCommand, SESSION_CHECK, SessionCheck } from "./commands/check-command.ts";
import { CleanupCommand } from "./commands/cleanup-command.ts";
import { CompareCommand } from "./commands/compare-command.ts";
import { DoctorCommand } from "./commands/doctor-command.ts";
import { FixCommand } from "./commands/fix-command.ts";
import { ANSWER, CLEANUP, PROBE, REPRODUCE, HYPOTHESIZE } from "./commands/handlers.ts";
import { HypothesizeCommand } from "./commands/hypothesize-command.ts";
import { JudgeCommand } from "./commands/judge-command.ts";
import { KeepCommand } from "./commands/keep-command.ts";
import { LogsCommand } from "./commands/logs-command.ts";
import { ObserveCommand } from "./commands/observe-command.ts";
import { ProbeCommand } from "./commands/probe-command.ts";
import { ReproduceCommand } from "./commands/reproduce-command.ts";
import { ServeCommand } from "./commands/serve-command.ts";
import { StartCommand } from "./commands/start-command.ts";
import { StatusCommand } from "./commands/status-command.ts";
import { UndoCommand } from "./commands/undo-command.ts";
import { VERIFY, VerifyCommand } from "./commands/verify-command.ts";
import { COMPARISON, Comparison } from "./compare/comparison.ts";
import type { Contract } from "./contract.ts";
import { CheckedCode } from "./drift/checked-code.ts";
import { DRIFT, Drift } from "./drift/drift.ts";
import { NEW_RUN, NewRun } from "./drift/new-run.ts";
import { gateOf, SESSION_GATE, SessionGate } from "./gate/session-gate.ts";
import { OBSERVER_SERVICES, OBSERVERS, Observers, ObserverServices } from "./observe/observers.ts";
import { CLEANING, Cleaning, SESSION_REMOVAL, SessionRemoval } from "./cleanup/cleaning.ts";
import { OBSERVATION, Observation } from "./observation/observation.ts";
import { OBSERVATION_POINTS, ObservationPoints } from "./observation/observation-points.ts";
import { CODE_WATCH, SESSION, SessionHolder } from "./open-session.ts";
import { PROBED_FILES, ProbedFiles } from "./probes/probed-file.ts";
import { FORWARDER, Forwarder } from "./server/forwarder.ts";
import { BACKGROUND_START, BackgroundStart } from "./server/server-call.ts";
import { LOG_STORES, LogStores, Serving, SERVING } from "./server/serving.ts";
import { SESSION_HOMES, SessionHomes } from "./server/session-home.ts";
import { SESSION_START, SessionStart } from "./session/session-start.ts";
import { REPRODUCTIONS, Reproductions } from "./reproduce/reproductions.ts";
import { PageRoute, ReplyRoute, UnlockRoute, WatchRoute } from "./page/page-routes.ts";
import { SESSION_VIEWS, SessionViews } from "./page/session-view.ts";
import { OtlpRoute } from "./server/otlp-route.ts";
import { AppendRoute, ClearRoute, HealthRoute, QueryRoute, RunRoute } from "./server/routes.ts";
import { DEBUG_SERVERS, DebugServers } from "./session/debug-servers.ts";
import { EVIDENCE, Evidence } from "./session/evidence.ts";
import { LEDGER, Ledger } from "./session/ledger.ts";
import { SESSIONS, Sessions } from "./session/sessions.ts";
import { WORKTREE, Worktree } from "./worktree/worktree.ts";

/** The debug session, its server, and commands that read the collected events. */
export default definePlugin<Contract>({
  wire: (wiring) => {
    wiring.single(SESSION, SessionHolder);
    wiring.single(SESSION_HOMES, SessionHomes);
    wiring.single(BACKGROUND_START, BackgroundStart);
    wiring.single(LOG_STORES, LogStores);
    wiring.single(SERVING, Serving);
    wiring.single(FORWARDER, Forwarder);
    wiring.single(PROBED_FILES, ProbedFiles);
    wiring.single(SESSION_START, SessionStart);
    wiring.single(OBSERVER_SERVICES, ObserverServices);
    wiring.single(OBSERVATION_POINTS, ObservationPoints);
    wiring.single(OBSERVATION, Observation);
    wiring.single(CLEANING, Cleaning);
    wiring.single(SESSION_REMOVAL, SessionRemoval);
    wiring.single(CODE_WATCH, CheckedCode);
    wiring.single(LEDGER, Ledger);
    wiring.single(SESSIONS, Sessions);
    wiring.single(WORKTREE, Worktree);
    wiring.single(DRIFT, Drift);
    wiring.single(NEW_RUN, NewRun);
    wiring.single(SESSION_CHECK, SessionCheck);
    wiring.single(EVIDENCE, Evidence);
    wiring.single(OBSERVERS, Observers);
    wiring.single(DEBUG_SERVERS, DebugServers);
    wiring.single(COMPARISON, Comparison);
    wiring.single(REPRODUCTIONS, Reproductions);
    wiring.single(SESSION_GATE, SessionGate);
    wiring.single(SESSION_VIEWS, SessionViews);
    wiring.single(HYPOTHESIZE, HypothesizeCommand);
    wiring.single(PROBE, ProbeCommand);
    wiring.single(REPRODUCE, ReproduceCommand);
    wiring.single(ANSWER, AnswerCommand);
    wiring.single(VERIFY, VerifyCommand);
    wiring.single(CLEANUP, CleanupCommand);
  },
  commands: {
    start: StartCommand,
    hypothesize: HypothesizeCommand,
    probe: ProbeCommand,
    observe: ObserveCommand,
    check: CheckCommand,
    undo: UndoCommand,
    keep: KeepCommand,
    reproduce: ReproduceCommand,
    answer: AnswerCommand,
    back: BackCommand,
    logs: LogsCommand,
    judge: JudgeCommand,
    fix: FixCommand,
    compare: CompareCommand,
    verify: VerifyCommand,
    cleanup: CleanupCommand,
    status: StatusCommand,
    serve: ServeCommand,
    doctor: DoctorCommand,
  },
  routes: {
    append: AppendRoute,
    otlp: OtlpRoute,
    query: QueryRoute,
    clear: ClearRoute,
    health: HealthRoute,
    run: RunRoute,
    page: PageRoute,
    unlock: UnlockRoute,
    watch: WatchRoute,
    reply: ReplyRoute,
  },
  rules: {
    "evidence-gate": gateOf("evidence-gate"),
    "confirmation-gate": gateOf("confirmation-gate"),
    "server-stays-up": gateOf("server-stays-up"),
    "no-forged-evidence": gateOf("no-forged-evidence"),
    "tree-check": gateOf("tree-check"),
  },
});
