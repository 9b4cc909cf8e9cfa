import type { Catalog } from "../../catalog.ts";
import type { CoreCode } from "../../errors/codes.ts";
import type { GuardEvent } from "../../plugin.ts";
import type { JsonSchema } from "../../schema/schemas.ts";

type Code = CoreCode | (string & {});

/** What every request can meet, whatever it asks for. */
export const GATE: readonly Code[] = ["REQUEST_UNREADABLE", "HOST_REFUSED", "ORIGIN_REFUSED", "INTERNAL"];
/** What a body can meet beside its schema. */
export const BODY: readonly Code[] = ["BODY_UNREADABLE", "BODY_TOO_LARGE", "MEDIA_TYPE_REFUSED"];
/** What anything with a schema and code behind it can meet. */
export const HANDLED: readonly Code[] = [
  "INPUT_INVALID",
  "OUTPUT_INVALID",
  "PLUGIN_MISSING",
  "PLUGIN_BROKEN",
  "PORT_MISSING",
  "SCHEMA_INVALID",
  "CONFIG_INVALID",
];

/** The codes of rules, if any rule hears one of the events at the skill. */
export function guardCodes(
  { skills }: Catalog,
  skill: string,
  events: readonly GuardEvent[],
): readonly Code[] {
  const rules = skills.flatMap(({ manifest }) =>
    Object.values(manifest.rules ?? {}).filter((rule) => rule.applies === "all" || manifest.name === skill),
  );
  const heard = rules.some((rule) => rule.on?.some((event) => events.includes(event)));
  return heard ? ["GUARD_DENIED", "GUARD_ASKS", "GUARD_FAILED"] : [];
}

/** The problem responses of an operation by status; each names the codes it can carry. */
export function problemResponses(
  catalog: Catalog,
  codes: readonly Code[],
  problem: JsonSchema,
  skill?: string,
): Readonly<Record<string, object>> {
  const byStatus = new Map<number, string[]>();
  for (const code of [...new Set(codes)].sort()) {
    const { http } = catalog.codeEntry(code, skill);
    byStatus.set(http, [...(byStatus.get(http) ?? []), code]);
  }
  const responses = [...byStatus].map(([status, listed]) => {
    const description = listed
      .map((code) => `${code}: ${catalog.codeEntry(code, skill).summary}`)
      .join("\n\n");
    const narrowed = { type: "object", properties: { code: { enum: listed }, status: { const: status } } };
    return [
      String(status),
      { description, content: { "application/problem+json": { schema: { allOf: [problem, narrowed] } } } },
    ];
  });
  return Object.fromEntries(responses) as Readonly<Record<string, object>>;
}
