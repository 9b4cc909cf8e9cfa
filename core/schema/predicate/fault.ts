/** Why a schema cannot be used as a predicate, and where in it. */
export class PredicateFault extends Error {
  override readonly name = "PredicateFault";
  /** JSON pointer into the schema; "" is all of it. */
  readonly pointer: string;

  constructor(pointer: string, sentence: string) {
    super(sentence);
    this.pointer = pointer;
  }
}

/** A step of a JSON pointer (RFC 6901). */
export function step(key: string | number): string {
  return `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
