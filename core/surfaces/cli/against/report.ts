import type { Change } from "./contract-changes.ts";
import { shown, type Verdict } from "./schema-changes.ts";

export const FORMATS = ["text", "json", "markdown", "sarif"] as const;
/** The most important first. */
export const VERDICTS: readonly Verdict[] = ["breaking", "unknown", "not breaking"];

/** The result of a comparison. */
export interface Comparison {
  /** The revision or folder, as it was given. */
  readonly against: string;
  readonly breaking: number;
  readonly unknown: number;
  readonly notBreaking: number;
  readonly changes: readonly Change[];
}

export function comparisonOf(against: string, changes: readonly Change[]): Comparison {
  const count = (verdict: Verdict): number => changes.filter((one) => one.verdict === verdict).length;
  return {
    against,
    breaking: count("breaking"),
    unknown: count("unknown"),
    notBreaking: count("not breaking"),
    changes,
  };
}

/** `placeOf` returns the path of a file of a skill, relative to the working folder. */
export function reportIn(
  format: (typeof FORMATS)[number],
  comparison: Comparison,
  version: string,
  placeOf: (change: Change) => string,
): string {
  const { against, breaking, unknown, notBreaking, changes } = comparison;
  const counts = `${breaking} breaking, ${unknown} unknown, ${notBreaking} not breaking`;
  if (format === "json") return `${JSON.stringify(comparison, undefined, 2)}\n`;
  if (format === "sarif") return `${JSON.stringify(sarif(changes, version, placeOf), undefined, 2)}\n`;
  if (format === "markdown") {
    const cell = (text: string): string => text.replaceAll(/[\\|`<]/g, "\\$&").replaceAll("\n", " ");
    const rows = changes.map((one) =>
      [
        one.verdict,
        one.skill,
        one.surfaces.join(", "),
        `${placeOf(one)}#${one.pointer}`,
        told(one),
        shown(one.before),
        shown(one.after),
      ].map(cell),
    );
    const head = ["Verdict", "Skill", "Surfaces", "Place", "Change", "Before", "Now"];
    const lines =
      changes.length === 0
        ? []
        : [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
    return [`Against \`${against}\`: ${counts}.`, "", ...lines, ""].join("\n");
  }
  const lines = changes.map(
    (one) => `${one.verdict} (${one.surfaces.join(", ")}): ${placeOf(one)}#${one.pointer}: ${told(one)}`,
  );
  return [...lines, `Against ${against}: ${counts}.`, ""].join("\n");
}

/** The sentence, and the value that proves it. */
function told({ sentence, witness }: Change): string {
  return witness === undefined ? sentence : `${sentence} For example ${shown(JSON.stringify(witness))}`;
}

const LEVELS: Readonly<Record<Verdict, string>> = {
  breaking: "error",
  unknown: "warning",
  "not breaking": "note",
};

/** SARIF 2.1.0 (OASIS). */
function sarif(changes: readonly Change[], version: string, placeOf: (change: Change) => string): object {
  const ruleOf = (verdict: Verdict): string => verdict.replace(" ", "-");
  return {
    $schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "skillctl",
            version,
            rules: VERDICTS.map((verdict) => ({
              id: ruleOf(verdict),
              shortDescription: { text: `A contract change that is ${verdict}.` },
            })),
          },
        },
        results: changes.map((change) => {
          const { verdict, surfaces, skill, pointer, before, after, witness } = change;
          return {
            ruleId: ruleOf(verdict),
            level: LEVELS[verdict],
            message: { text: told(change) },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: encodeURI(placeOf(change)) } },
                logicalLocations: [{ fullyQualifiedName: `${skill}#${pointer}` }],
              },
            ],
            properties: { surfaces, before, after, witness },
          };
        }),
      },
    ],
  };
}
