import { Validator } from "@cfworker/json-schema";
import { Catalog } from "../core/catalog.ts";
import type { Rule } from "../core/contract.ts";
import { Guard } from "../core/guard.ts";
import type { Decision, Subject as Request } from "../core/plugin.ts";
import { createAjv } from "../core/schema/ajv.ts";
import { fortyRules, skillOf, subjects } from "./guard-rules.ts";
import { figureRow, ratioRow, type Bench, type Row } from "./row.ts";
import { FLOOR, PROGRAM, interleaved, temporaryPlace, type Subject } from "./whole-process.ts";

const COLD_LIMIT = 1.25;
/** Microseconds a decision. */
const DECISION_LIMIT = 1;
/** Milliseconds until the first request can be judged. */
const READY_LIMIT = 1;
const ROUNDS = 31;

const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: "/shop",
  tool_name: "Bash",
  tool_input: { command: "npm test" },
  tool_use_id: "c",
});

/** What an agent waits for before every tool call. */
export const bench: Bench = {
  name: "guard",
  describe:
    "`skillctl guard` as a whole process, and decisions of 40 rules that all hear the event, in process.",
  run: async () => [...(await cold()), ...inProcess()],
};

async function cold(): Promise<readonly Row[]> {
  const call: Subject = {
    label: "skillctl guard",
    words: [PROGRAM, "guard", "--dialect", "claude-code"],
    input: EVENT,
    isRight: ({ out }) => out === "",
  };
  const place = temporaryPlace();
  try {
    const [bases = [], candidates = []] = await interleaved([FLOOR, call], place);
    return [
      ratioRow({ subject: call.label, base: FLOOR.label, unit: "ms", bases, candidates, limit: COLD_LIMIT }),
    ];
  } finally {
    place.remove();
  }
}

function inProcess(): readonly Row[] {
  const rules = fortyRules();
  const requests = subjects(1_000);
  const [first] = requests;
  if (!first) throw new Error("There are no requests.");
  const guard = new Guard(new Catalog([skillOf(rules)]), { rule: () => Promise.reject(new Error("none")) });
  const plan = guard.planned("tool.pre");
  const byGuard = (request: Request): Decision =>
    (guard.judge(plan, request) as { decision: Decision }).decision;
  const byAjv = ajvDecision(rules);
  check(rules, requests, { guard: byGuard, ajv: byAjv });
  const [own, ajv]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    own.push(microseconds(byGuard, requests));
    ajv.push(microseconds(byAjv, requests));
  }
  return [
    { ...figureRow("a decision", "40 rules", "µs", own), limit: DECISION_LIMIT },
    ratioRow({ subject: "a decision", base: "every rule by Ajv", unit: "µs", bases: ajv, candidates: own }),
    {
      ...figureRow(
        "the first decision",
        "40 rules",
        "ms",
        Array.from({ length: ROUNDS }, () => ready(rules, first)),
      ),
      limit: READY_LIMIT,
    },
  ];
}

function microseconds(decide: (request: Request) => Decision, requests: readonly Request[]): number {
  const start = process.hrtime.bigint();
  for (let turn = 0; turn < 20; turn += 1) for (const request of requests) decide(request);
  return Number(process.hrtime.bigint() - start) / 1e3 / requests.length / 20;
}

/** From the manifest to the first decision. */
function ready(rules: Readonly<Record<string, Rule>>, first: Request): number {
  const catalog = new Catalog([skillOf(structuredClone(rules))]);
  const start = process.hrtime.bigint();
  const guard = new Guard(catalog, { rule: () => Promise.reject(new Error("none")) });
  void guard.judge(guard.planned("tool.pre"), first);
  return Number(process.hrtime.bigint() - start) / 1e6;
}

const STRICT: readonly Decision[] = ["allow", "warn", "transform", "ask", "deny"];

function strictest(decisions: readonly (Decision | undefined)[]): Decision {
  const places = decisions.map((decision) => STRICT.indexOf(decision ?? "allow"));
  return STRICT[Math.max(0, ...places)] ?? "allow";
}

function ajvDecision(rules: Readonly<Record<string, Rule>>): (request: Request) => Decision {
  const ajv = createAjv();
  const all = Object.values(rules).map(({ when = {}, decision }) => ({ test: ajv.compile(when), decision }));
  return (request) => {
    let place = 0;
    for (const { test, decision } of all)
      if (test(request)) place = Math.max(place, STRICT.indexOf(decision ?? "deny"));
    return STRICT[place] ?? "allow";
  };
}

/** Every engine has to decide as a validator that is none of them. @throws Error with the request they differ on. */
function check(
  rules: Readonly<Record<string, Rule>>,
  requests: readonly Request[],
  engines: Readonly<Record<string, (request: Request) => Decision>>,
): void {
  const all = Object.values(rules).map(({ when = {}, decision }) => ({
    validator: new Validator(structuredClone(when), "2020-12"),
    decision,
  }));
  const counts = new Map<Decision, number>();
  for (const request of requests) {
    const speaking = all.filter(({ validator }) => validator.validate(request).valid);
    const right = strictest(speaking.map(({ decision }) => decision));
    counts.set(right, (counts.get(right) ?? 0) + 1);
    for (const [name, decide] of Object.entries(engines)) {
      const said = decide(request);
      if (said !== right)
        throw new Error(`${name} says ${said} instead of ${right} of ${JSON.stringify(request)}`);
    }
  }
  if (counts.size < 4) throw new Error(`The requests are too much alike: ${JSON.stringify([...counts])}`);
}
