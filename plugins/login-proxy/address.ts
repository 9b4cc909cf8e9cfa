import { isLoopbackAddress } from "skillctl";

/** Whether tokens and codes may travel there: https, or http on loopback (docs/login.md, Device login). */
export function isSafeAddress(url: URL): boolean {
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackAddress(url.hostname));
}

/** The origin of an address; undefined for what is no address. */
export function originOf(address: string | undefined): string | undefined {
  return address !== undefined && URL.canParse(address) ? new URL(address).origin : undefined;
}
