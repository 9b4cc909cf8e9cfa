import type { Finding } from "../check/finding.ts";
import { judgeFile, regionsOf } from "../check/judge-file.ts";
import { linesOf } from "../regions/lines.ts";
import { regionsIn } from "../regions/regions.ts";
import { syntaxFaults } from "../syntax/syntax.ts";
import type { PlanContext } from "./file-plan.ts";
import type { Syntax } from "./harm.ts";
import { planTree, type TreePlan } from "./tree-plan.ts";

/** A file as a test writes it; `undefined` when it was not there, or is gone. */
export interface GivenFile {
  readonly before?: string | undefined;
  readonly now?: string | undefined;
}

export interface Given {
  readonly aborted?: boolean;
  /** FILE:LINE that are accepted. */
  readonly accept?: readonly string[];
  /** Hashes of accepted fixes by path. */
  readonly fixes?: Readonly<Record<string, string>>;
  /** Ids of other sessions under way. */
  readonly others?: readonly string[];
  /** Default: one that takes every region for more than a report. */
  readonly judge?: "real";
  /** Default: the grammars. */
  readonly syntax?: Syntax;
}

/** A judge that takes every region for more than a report: planning must get on without a friendlier one. */
async function strictJudge(_path: string, text: string): Promise<readonly Finding[]> {
  return regionsIn(linesOf(text)).regions.map(({ first }) => ({
    line: first + 1,
    code: "not-a-probe",
    sentence: "It may be anything.",
  }));
}

const realJudge: Pick<PlanContext, "judge" | "regions"> = {
  regions: regionsOf,
  judge: async (path, text) => (await judgeFile(path, text)).findings,
};

export function planningContext(isAborted: boolean, syntax: Syntax = { faults: syntaxFaults }): PlanContext {
  return {
    traces: { session: "login-times-out", hosts: ["127.0.0.1:7777"] },
    isAborted,
    regions: async (_path, text) => regionsIn(linesOf(text.replace(/^\uFEFF/, ""))),
    judge: strictJudge,
    syntax,
    others: [],
  };
}

/** What becomes of files by a cleanup: the plan, and each text afterwards. */
export interface Outcome {
  readonly plan: TreePlan;
  readonly codes: readonly string[];
  readonly texts: Readonly<Record<string, string | undefined>>;
}

export async function planned(
  files: Readonly<Record<string, GivenFile>>,
  { aborted = false, accept = [], fixes = {}, syntax, judge, others = [] }: Given = {},
): Promise<Outcome> {
  const bytes = (text: string | undefined): Uint8Array | undefined =>
    text === undefined ? undefined : new TextEncoder().encode(text);
  const tree = Object.entries(files).map(([path, { before, now }]) => ({
    path,
    before: bytes(before),
    now: bytes(now),
  }));
  const accepted = new Map<string, Set<number>>();
  for (const one of accept) {
    const [, path = "", line = ""] = /^(.*):(\d+)$/.exec(one) ?? [];
    accepted.set(path, (accepted.get(path) ?? new Set()).add(Number(line)));
  }
  const strict = { ...planningContext(aborted, syntax), others };
  const context = judge === "real" ? { ...strict, ...realJudge } : strict;
  const plan = await planTree(tree, { accepted, fixes }, context);
  const written = new Map(
    plan.writes.map((one) => [one.path, new TextDecoder("utf-8", { ignoreBOM: true }).decode(one.bytes)]),
  );
  const texts = Object.fromEntries(
    Object.entries(files).map(([path, { now }]) => [path, written.get(path) ?? now]),
  );
  return { plan, codes: plan.findings.map(({ code }) => code), texts };
}
