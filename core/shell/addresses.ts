const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `%41`, where the letter itself says the same (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/**
 * An address in the form of the URL standard, so that a rule meets one spelling: with a scheme, host in lower case,
 * without user, trailing dot of the host and needless escapes. `undefined` when it is none.
 */
export function address(text: string, scheme = "http"): string | undefined {
  const trimmed = text.trim();
  const whole = SCHEME.test(trimmed) ? trimmed : `${scheme}://${trimmed.replace(/^\/\//, "")}`;
  if (trimmed === "" || !URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  url.username = "";
  url.password = "";
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.replace(/(?<!\.)\.+$/, "");
  url.pathname = url.pathname.replace(NEEDLESS, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  );
  return url.href;
}
