import type { Compiler } from "./compiler.ts";
import type { SkillManifest } from "../contract.ts";
import type { JsonSchema } from "../schema/schemas.ts";
import { isObject } from "../schema/predicate.ts";
import { pointerOf } from "../schema/fault.ts";
import { type Complain } from "./json-file.ts";

const ONE_DECISION =
  "must have on with a decision and a message, or on with handler: true, or enforced: false with why";

/**
 * Holds a manifest against its schema and answers the part of it that fits, so that one wrong entry hides no
 * fault in another.
 */
export function soundManifest(
  value: Readonly<Record<string, unknown>>,
  schema: JsonSchema,
  compile: Compiler,
  complain: Complain,
): Partial<SkillManifest> {
  const compiled = compile(schema);
  if ("faults" in compiled)
    throw new Error(`schemas/core/skill-manifest.json cannot be compiled: ${compiled.faults[0]?.sentence}`);
  const faults = compiled.check(value, "The manifest");
  for (const { pointer, keyword, sentence } of faults) {
    complain(pointer, keyword === "oneOf" ? `${pointer} ${ONE_DECISION}.` : sentence);
  }
  const wrong = faults.map(({ pointer }) => pointer);
  const isSound = (pointer: string): boolean =>
    !wrong.some((one) => one === pointer || one.startsWith(`${pointer}/`));
  const sound = Object.entries(value).flatMap(([key, part]): [string, unknown][] => {
    const pointer = pointerOf(key);
    if (isSound(pointer)) return [[key, part]];
    if (!isObject(part)) return [];
    const kept = Object.entries(part).filter(([name]) => isSound(pointer + pointerOf(name)));
    return [[key, Object.fromEntries(kept)]];
  });
  return Object.fromEntries(sound);
}
