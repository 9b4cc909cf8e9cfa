import type { ProbeOutput } from "../contract.ts";
import type { Placement } from "./placement.ts";
import { TEMPLATES } from "./templates.ts";

type Put = NonNullable<ProbeOutput["probes"]>;

/** A program that gives events no time to leave. */
const ENDS_ITSELF =
  /\bprocess\.(?:exit|reallyExit|abort|kill)\s*\(|\bSIGKILL\b|\bwhile\s*\((?:true|1)\)|\bfor\s*\(\s*;\s*;\s*\)/;

/** What is told of probes that were put into files; of a single one also how it looks. */
export function told(placements: readonly Placement[]): {
  readonly probes: Put;
  readonly text: string;
  readonly only?: Pick<ProbeOutput, "language" | "region" | "file" | "line">;
} {
  const all = placements.flatMap(({ path, put }) => put.map((one) => ({ file: path, ...one })));
  const probes = all.map(({ file, line, wish: { hypothesis, point, language, data } }) => ({
    hypothesis,
    point,
    language,
    file,
    line,
    data: data.map(({ name }) => name),
  }));
  const text = [putText(probes), ...(placements.some(losesEvents) ? [LOSES] : [])].join("\n");
  const [only] = all;
  if (all.length !== 1 || !only) return { probes, text };
  const { wish, region, file, line } = only;
  return { probes, text, only: { language: wish.language, region: [...region], file, line } };
}

const LOSES =
  "The file can end, kill or hold its process, and events under way are lost then: --sync reports before the program goes on.";

/** The probes that were put, one a line. */
export function putText(probes: Put = []): string {
  return probes
    .map(({ hypothesis, point, file, line, data }) => {
      const reported = data.length === 0 ? "no data" : data.join(", ");
      return `Put into ${file}, line ${line}: the probe ${hypothesis}:${point}, which reports ${reported}.`;
    })
    .join("\n");
}

function losesEvents({ before, put }: Placement): boolean {
  const waitsNot = put.some(
    ({ wish }) => wish.sync !== true && TEMPLATES[wish.language].some(({ sync }) => sync !== undefined),
  );
  return waitsNot && ENDS_ITSELF.test(before);
}
