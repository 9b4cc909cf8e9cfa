/** A part of a contract that no test has exercised. */
export interface UnexercisedPart {
  readonly skill: string;
  /** The part, such as `command greet`. */
  readonly part: string;
  /** The untested property of the part. */
  readonly reason: string;
}

/** Collects the parts of contracts, and which of them tests have exercised. */
export class Coverage {
  readonly #open = new Map<string, UnexercisedPart>();

  /** Expects that a call ends in an error, or without a code in its output. */
  expect(skill: string, part: string, code = ""): void {
    const reason = `no test returned its ${code === "" ? "output" : `error ${code}`}`;
    this.#open.set(keyOf(skill, part, code), { skill, part, reason });
  }

  /** Records that a call ended in an error, or without a code in its output. */
  see(skill: string, part: string, code = ""): void {
    this.#open.delete(keyOf(skill, part, code));
  }

  /** Records that something cannot be exercised. */
  miss(skill: string, part: string, reason: string): void {
    this.#open.set(keyOf(skill, part, reason), { skill, part, reason });
  }

  unexercised(): readonly UnexercisedPart[] {
    return [...this.#open.values()];
  }
}

function keyOf(...words: readonly string[]): string {
  return words.join("\n");
}
