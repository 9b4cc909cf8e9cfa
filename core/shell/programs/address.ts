import { posix } from "node:path";
import { withoutEnd } from "../without-end.ts";
import { GAP, type Word } from "./effects.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** `%41`, where the letter itself says the same (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/**
 * An address in the form of the URL standard, so that a rule meets one spelling: with a scheme, host in lower case and
 * ASCII, without user, trailing dot of the host and needless escapes. `undefined` when it is none, or names several.
 */
export function address(text: string, scheme = "http"): string | undefined {
  const trimmed = text.trim();
  const host = /^localhost:|^[^/?#]*:\d+(?:[/?#]|$)/i.test(trimmed);
  const whole = SCHEME.test(trimmed) && !host ? trimmed : `${scheme}://${trimmed.replace(/^\/\//, "")}`;
  if (trimmed === "" || /[{}]/.test(whole) || hasRange(whole) || !URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  url.username = "";
  url.password = "";
  if (url.hostname.endsWith(".")) url.hostname = withoutEnd(url.hostname, ".");
  url.pathname = url.pathname.replace(NEEDLESS, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return url.href.replace(/%(?:7e)/gi, "~");
}

/** Where values of the environment may stand: as the whole port, and behind the host. */
const GAPS = new RegExp(
  `^(?:[a-z][a-z0-9+.-]*://)?(?:[^/?#@:${GAP}]+|\\[[^\\]${GAP}]+\\])(?::(?:\\d+|${GAP}))?(?:[/?#].*)?$`,
  "is",
);

/** An address in whose port, path or query values of the environment stand: as it is with `0` for each. */
export function filledAddress({ gapped }: Word): string | undefined {
  return gapped !== undefined && GAPS.test(gapped) ? address(gapped.replaceAll(GAP, "0")) : undefined;
}

/** `host` and `port` as an address. */
export function hostAddress(host: string, port: string | undefined): string | undefined {
  const inner = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  return address(`http://${inner}${port === undefined ? "" : `:${port}`}/`);
}

/** The file that a program makes of an address when it is told none. */
export function fileOf(word: Word, standard: string): Word {
  const url = word.text === undefined ? undefined : address(word.text);
  if (url === undefined) return { text: undefined };
  return { text: posix.basename(new URL(url).pathname) || standard };
}

/** `[1-9]`, which curl makes several addresses of. */
function hasRange(text: string): boolean {
  for (let at = text.indexOf("["); at >= 0;) {
    const end = text.indexOf("]", at);
    if (end < 0) return false;
    if (text.slice(at, end).includes("-")) return true;
    at = text.indexOf("[", end);
  }
  return false;
}
