import { withoutEnd } from "../without-end.ts";
import type { Word } from "./effects.ts";

export function literal(text: string): Word {
  return { text };
}

/** The last part of a path; "" when the word is not known. */
export function lastPart(word: Word | undefined): string {
  return (
    withoutEnd(word?.text ?? "", "/")
      .split("/")
      .at(-1) ?? ""
  );
}
