import type { Requirement } from "./requirement.ts";

/** The rules of the specification of runtime debugging. Named in test titles in the same way. */
export const DEBUG_REQUIREMENTS = {
  "debug.server.collects": {
    place: "What the service does",
    rule: "A debug server collects runtime logs over HTTP.",
  },
  "debug.resource.session-id": {
    place: "Resources and their fields",
    rule: "A session id is 2 to 4 lower-case English words joined by hyphens, and unique: parallel sessions do not interfere.",
  },
  "debug.resource.log-file": {
    place: "Resources and their fields",
    rule: "The log of a session is svc-debug-log-<sessionId>.ndjson, JSON a line.",
  },
  "debug.resource.environment-file": {
    place: "Resources and their fields",
    rule: "The server writes .dbg/<sessionId>.env to its output folder, so that instrumentation needs no configuration.",
  },
  "debug.instrumentation.network": {
    place: "Resources and their fields",
    rule: "Instrumentation reports over the network to the debug server, by inline one-liners.",
  },
  "debug.endpoint.address": {
    place: "Endpoints",
    rule: "The address in the environment file, with the path of an operation behind it, answers that operation.",
  },
  "debug.endpoint.port": {
    place: "Endpoints",
    rule: "The server is local and probes for a free port by itself.",
  },
  "debug.endpoint.remote": { place: "Endpoints", rule: "The server supports remote debugging." },
  "debug.endpoint.query": { place: "Endpoints", rule: "GET /logs queries the collected logs." },
  "debug.endpoint.health": { place: "Endpoints", rule: "GET /health checks the health." },
  "debug.endpoint.clear": { place: "Endpoints", rule: "DELETE /logs deletes the collected logs." },
  "debug.endpoint.idle": {
    place: "Endpoints",
    rule: "--idle <seconds> sets the time-out after which an idle server stops.",
  },
  "debug.events.stored": {
    place: "Events",
    rule: "Events that instrumentation reports are stored in the log file of the session.",
  },
  "debug.limits.stays": {
    place: "Limits",
    rule: "The server stays running through the verification of a fix until the user's final confirmation.",
  },
  "debug.verify.compare": {
    place: "States and transitions",
    rule: "The logs before the fix and after it can be compared.",
  },
  "debug.resource.record": {
    place: "Resources and their fields",
    rule: "The record debug-<sessionId>.md lies in the project root and is made before anything else of the session.",
  },
  "debug.resource.status": {
    place: "Resources and their fields",
    rule: "The record carries a status, [OPEN] at first; a status in the record opens no gate by itself.",
  },
  "debug.resource.regions": {
    place: "Resources and their fields",
    rule: "All instrumentation lies in regions #region debug-point <id> to the end of the region.",
  },
  "debug.hypotheses.three-to-five": {
    place: "What the service does",
    rule: "A session has 3 to 5 falsifiable hypotheses, each tied to one observation point.",
  },
  "debug.instrumentation.native": {
    place: "Rules on instrumentation 1",
    rule: "Native logging is forbidden in instrumentation.",
  },
  "debug.instrumentation.files": {
    place: "Rules on instrumentation 2",
    rule: "No new utility files; inline one-liners only.",
  },
  "debug.instrumentation.guidance": {
    place: "Rules on instrumentation 3",
    rule: "After instrumentation and after a fix the user is told the change and a concrete path.",
  },
  "debug.phases.order": {
    place: "States and transitions",
    rule: "The phases run in order; none is skipped.",
  },
  "debug.phases.citations": {
    place: "States and transitions",
    rule: "Each hypothesis is marked confirmed or rejected from log lines that are cited.",
  },
  "debug.verify.presented": {
    place: "States and transitions",
    rule: "The comparison of the logs before and after the fix is presented before the user is asked.",
  },
  "debug.verify.answers": {
    place: "States and transitions",
    rule: "A fixed leads to the cleanup, B to the analysis, C to the hypotheses, D to the cleanup.",
  },
  "debug.answers.others": {
    place: "States and transitions",
    rule: "Reproduction and information gathering have option sets A to D of their own.",
  },
  "debug.cleanup.all": {
    place: "States and transitions",
    rule: "The cleanup removes instrumentation, record and environment file, stops the server and gives the root cause.",
  },
  "debug.gate.evidence": {
    place: "Gates 1",
    rule: "Before runtime evidence there is no change of business logic.",
  },
  "debug.gate.confirmation": {
    place: "Gates 2",
    rule: "There is no cleanup before the user has answered A or D.",
  },
  "debug.gate.abort": { place: "Gates 3", rule: "An abort is offered at every checkpoint." },
  "debug.gate.question": {
    place: "Gates 4",
    rule: "Questions use the interactive question of the surface, elsewhere numbered text.",
  },
} as const satisfies Readonly<Record<string, Requirement>>;
