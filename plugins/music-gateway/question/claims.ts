import type { Token } from "./scan.ts";

/**
 * The words of a question that a recogniser has used. Each recogniser claims the words that it reads; an unclaimed
 * word is reported as not understood, and the question gets no figures.
 */
export class Claims {
  readonly #claimed = new Set<Token>();

  constructor(private readonly tokens: readonly Token[]) {}

  claim(...tokens: readonly (Token | undefined)[]): void {
    for (const token of tokens) if (token !== undefined) this.#claimed.add(token);
  }

  /** Withdraws a claim on tokens that turned out to be unused in this question. */
  release(...tokens: readonly Token[]): void {
    for (const token of tokens) this.#claimed.delete(token);
  }

  /** Claims the tokens between two positions, inclusive. */
  claimSpan(first: number, last: number): void {
    this.claim(...this.tokens.slice(Math.max(0, first), last + 1));
  }

  /** The unclaimed tokens, in order. */
  unclaimed(): readonly Token[] {
    return this.tokens.filter((token) => !this.#claimed.has(token));
  }
}
