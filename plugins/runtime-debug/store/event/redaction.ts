import { redactPairs } from "./secret-pairs.ts";
import { redactShapes } from "./secret-shapes.ts";

/** The text without the secrets in it: each becomes `[redacted]`, what is around it stays. Takes time in line with the length. */
export function redact(text: string): string {
  return redactShapes(redactPairs(text));
}
