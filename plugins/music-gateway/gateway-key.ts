import { injectable, token } from "skillctl";
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** The token that this process's gateway takes: random, held in memory only, new with every host. */
@injectable()
export class GatewayKey {
  readonly #value = randomBytes(32).toString("base64url");

  /** Goes into one request header and nowhere else. */
  get value(): string {
    return this.#value;
  }

  /** Compares in constant time. */
  fits(header: string | readonly string[] | undefined): boolean {
    return typeof header === "string" && timingSafeEqual(digest(header), digest(this.#value));
  }
}

export const GATEWAY_KEY = token<GatewayKey>("music-gateway/key");

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
