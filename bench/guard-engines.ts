import { Validator } from "@cfworker/json-schema";
import { Catalog } from "../core/catalog.ts";
import type { Rule } from "../core/contract.ts";
import { Guard } from "../core/guard.ts";
import type { Decision, Subject as Request } from "../core/plugin.ts";
import { createAjv } from "../core/schema/ajv.ts";
import { cedarDecision } from "./guard-cedar.ts";
import { jsonRulesDecision } from "./guard-json-rules.ts";
import { fortyRules, skillOf, subjects } from "./guard-rules.ts";
import { STRICT, strictest } from "./guard-strictness.ts";
import { figureRow, ratioRow, type Row } from "./row.ts";

/** Microseconds a decision. */
const DECISION_LIMIT = 1;
/** Milliseconds until the first request can be judged. */
const READY_LIMIT = 1;
const ROUNDS = 31;
/** Engines that take long have fewer rounds. */
const SLOW_ROUNDS = 7;

/** A decision of 40 rules, beside engines that others use, in the same rounds and with every decision the same. */
export async function inProcess(): Promise<readonly Row[]> {
  const rules = fortyRules();
  const requests = subjects(1_000);
  const [first] = requests;
  if (!first) throw new Error("There are no requests.");
  const guard = new Guard(new Catalog([skillOf(rules)]), { rule: () => Promise.reject(new Error("none")) });
  const plan = guard.planned("tool.pre");
  const byGuard = (request: Request): Decision =>
    (guard.judge(plan, request) as { decision: Decision }).decision;
  const byAjv = ajvDecision(rules);
  const byCedar = cedarDecision(rules);
  const byJsonRules = jsonRulesDecision(rules);
  await check(rules, requests, {
    guard: byGuard,
    ajv: byAjv,
    cedar: byCedar,
    "json-rules-engine": byJsonRules,
  });
  const times = new Map<string, number[]>();
  const note = (name: string, value: number): void =>
    void times.set(name, [...(times.get(name) ?? []), value]);
  for (let round = 0; round < ROUNDS; round += 1) {
    note("guard", microseconds(byGuard, requests));
    note("Ajv", microseconds(byAjv, requests));
    if (round >= SLOW_ROUNDS) continue;
    note("Cedar", microseconds(byCedar, requests, 1));
    note("json-rules-engine", await slowMicroseconds(byJsonRules, requests));
  }
  const own = times.get("guard") ?? [];
  const beside = (base: string): Row => {
    const bases = times.get(base) ?? [];
    return ratioRow({
      subject: "a decision",
      base,
      unit: "µs",
      bases,
      candidates: own.slice(0, bases.length),
    });
  };
  return [
    { ...figureRow("a decision", "40 rules", "µs", own), limit: DECISION_LIMIT },
    beside("Ajv"),
    beside("Cedar"),
    beside("json-rules-engine"),
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

function microseconds(
  decide: (request: Request) => Decision,
  requests: readonly Request[],
  turns = 20,
): number {
  const start = process.hrtime.bigint();
  for (let turn = 0; turn < turns; turn += 1) for (const request of requests) decide(request);
  return Number(process.hrtime.bigint() - start) / 1e3 / requests.length / turns;
}

async function slowMicroseconds(
  decide: (request: Request) => Promise<Decision>,
  requests: readonly Request[],
): Promise<number> {
  const start = process.hrtime.bigint();
  for (const request of requests) await decide(request);
  return Number(process.hrtime.bigint() - start) / 1e3 / requests.length;
}

/** From the manifest to the first decision. */
function ready(rules: Readonly<Record<string, Rule>>, first: Request): number {
  const catalog = new Catalog([skillOf(structuredClone(rules))]);
  const start = process.hrtime.bigint();
  const guard = new Guard(catalog, { rule: () => Promise.reject(new Error("none")) });
  void guard.judge(guard.planned("tool.pre"), first);
  return Number(process.hrtime.bigint() - start) / 1e6;
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
async function check(
  rules: Readonly<Record<string, Rule>>,
  requests: readonly Request[],
  engines: Readonly<Record<string, (request: Request) => Decision | Promise<Decision>>>,
): Promise<void> {
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
      const said = await decide(request);
      if (said !== right)
        throw new Error(`${name} says ${said} instead of ${right} of ${JSON.stringify(request)}`);
    }
  }
  if (counts.size < 4) throw new Error(`The requests are too much alike: ${JSON.stringify([...counts])}`);
}
