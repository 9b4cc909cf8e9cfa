import type { ErrorObject } from "ajv/dist/2020.js";
import { nearest } from "../nearest.ts";
import { faultOf, type Fault } from "../schema/fault.ts";

/** All errors of a validator that was made with `allErrors` and `verbose`, one fault a mistake. */
export function allFaults(errors: readonly ErrorObject[], whole: string): readonly Fault[] {
  const own = errors.filter(isOwnMistake);
  const isEcho = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword === "anyOf" && own.some((other) => other.keyword !== keyword && other.instancePath === instancePath);
  const faults = own.filter((error) => !isEcho(error)).map((error) => {
    const fault = faultOf([error as Parameters<typeof faultOf>[0][number]], whole);
    const guess = guessFor(error);
    return guess === undefined ? fault : { ...fault, sentence: fault.sentence.replace(/\.$/, `; did you mean ${guess}?`) };
  });
  return faults.filter((fault, index) => faults.findIndex((other) => other.sentence === fault.sentence) === index);
}

/** Branches of a choice and the inner checks of a key's name come beside an error that says the same better. */
function isOwnMistake({ keyword, schemaPath, propertyName }: ErrorObject): boolean {
  return keyword !== "if" && propertyName === undefined && !/\/(oneOf|anyOf)\/\d+\//.test(schemaPath);
}

function guessFor({ params, parentSchema, keyword }: ErrorObject): string | undefined {
  if (keyword !== "additionalProperties") return undefined;
  return nearest(String(params["additionalProperty"]), Object.keys((parentSchema?.["properties"] ?? {}) as object));
}
