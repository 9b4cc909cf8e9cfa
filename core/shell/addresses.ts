const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** An escape such as `%41` of a character that needs none (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/**
 * An address in the form of the URL standard, so that rules see one spelling: with a scheme, the host in lower case,
 * without user, trailing dot of the host and needless escapes. `undefined` for a text that is no address.
 */
export function address(text: string): string | undefined {
  // `:3000/a` as HTTPie has it.
  const trimmed = text.trim().replace(/^:(\d*)(?=\/|$)/, (_, port: string) => `localhost:${port}`);
  const whole = SCHEME.test(trimmed) ? trimmed : `http://${trimmed.replace(/^\/\//, "")}`;
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
