import { nearest } from "../nearest.ts";
import { faultOf, type Fault, type ValidatorError } from "../schema/fault.ts";
import type { JsonSchema } from "../schema/schemas.ts";

/** An error of a validator that was made with `allErrors` and `verbose`. */
export interface FullError extends ValidatorError {
  readonly schemaPath: string;
  readonly propertyName?: string;
  readonly parentSchema?: JsonSchema;
}

/** All errors as faults, one a mistake. */
export function allFaults(errors: readonly FullError[], whole: string): readonly Fault[] {
  const own = errors.filter(isOwnMistake);
  const isEcho = ({ keyword, instancePath }: FullError): boolean =>
    keyword === "anyOf" &&
    own.some((other) => other.keyword !== keyword && other.instancePath === instancePath);
  const faults = own
    .filter((error) => !isEcho(error))
    .map((error) => {
      const fault = faultOf([error], whole);
      const guess = guessFor(error);
      return guess === undefined
        ? fault
        : { ...fault, sentence: fault.sentence.replace(/\.$/, `; did you mean ${guess}?`) };
    });
  return faults.filter(
    (fault, index) => faults.findIndex((other) => other.sentence === fault.sentence) === index,
  );
}

/** Branches of a choice and the inner checks of a key's name come beside an error that says the same better. */
function isOwnMistake({ keyword, schemaPath, propertyName }: FullError): boolean {
  return keyword !== "if" && propertyName === undefined && !/\/(oneOf|anyOf)\/\d+\//.test(schemaPath);
}

function guessFor({ params, parentSchema, keyword }: FullError): string | undefined {
  if (keyword !== "additionalProperties") return undefined;
  return nearest(String(params["additionalProperty"]), Object.keys(parentSchema?.["properties"] ?? {}));
}
