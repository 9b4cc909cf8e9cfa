import type { Token } from "./scan.ts";

/**
 * The words of a question that a recogniser has used. Each recogniser claims what it reads; a word that nothing claims
 * is named as not understood, and no figure is given in its place.
 */
export class Claims {
  readonly #claimed = new Set<Token>();

  constructor(private readonly tokens: readonly Token[]) {}

  claim(...tokens: readonly (Token | undefined)[]): void {
    for (const token of tokens) if (token !== undefined) this.#claimed.add(token);
  }

  /** Takes a claim back: what was read has no use in this question. */
  release(...tokens: readonly Token[]): void {
    for (const token of tokens) this.#claimed.delete(token);
  }

  /** Claims the tokens from one place to another, both included. */
  claimSpan(first: number, last: number): void {
    this.claim(...this.tokens.slice(Math.max(0, first), last + 1));
  }

  /** The tokens that nothing has claimed, in their order. */
  unclaimed(): readonly Token[] {
    return this.tokens.filter((token) => !this.#claimed.has(token));
  }
}
