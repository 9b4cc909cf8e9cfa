import { KnownSecrets, injectable, token } from "skillctl";

export const SENT_TOKENS = token<SentTokens>("sent-tokens");

/** The tokens sent to the service since the program started, so that all texts from a service are masked. */
@injectable()
export class SentTokens {
  readonly #values = new Set<string>();
  readonly #secrets = new KnownSecrets("[token]");

  add(value: string): void {
    this.#secrets.know([...this.#values.add(value)]);
  }

  /** The text with `[token]` in place of each of them, in any notation (`KnownSecrets`). */
  without(text: string): string {
    return this.#secrets.without(text);
  }
}
