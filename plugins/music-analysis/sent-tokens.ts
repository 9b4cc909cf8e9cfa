import { KnownSecrets, injectable, token } from "skillctl";

export const SENT_TOKENS = token<SentTokens>("sent-tokens");

/** The tokens that the service was sent since the program began, so that no text of a service shows one of them. */
@injectable()
export class SentTokens {
  readonly #values = new Set<string>();
  readonly #secrets = new KnownSecrets("[token]");

  add(value: string): void {
    this.#secrets.know([...this.#values.add(value)]);
  }

  /** The text with `[token]` in place of each of them, however it is written (`KnownSecrets`). */
  without(text: string): string {
    return this.#secrets.without(text);
  }
}
