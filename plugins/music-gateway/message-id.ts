import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** `ag-msg-` and a ULID: ten signs of time, sixteen of chance, in Crockford's base 32. */
export function messageId(nowMs: number): string {
  let time = "";
  for (let rest = Math.max(0, Math.floor(nowMs)), place = 0; place < 10; place += 1) {
    time = ALPHABET.charAt(rest % 32) + time;
    rest = Math.floor(rest / 32);
  }
  const chance = [...randomBytes(16)].map((byte) => ALPHABET.charAt(byte % 32)).join("");
  return `ag-msg-${time}${chance}`;
}
