const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** An escape such as `%41` of an unreserved character (RFC 3986, 6.2.2.2). */
const NEEDLESS = /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi;

/**
 * An address in the form of the URL standard, so that rules see one spelling: with a scheme, the host in lower case,
 * without user, trailing dot of the host and escapes of unreserved characters. `undefined` for any other text.
 */
export function address(text: string): string | undefined {
  // HTTPie accepts `:3000/a`.
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

const MOST_SPELLED = 100;

/** The addresses that curl reads in a text with `{a,b}`, `[a-c]` or `[1-3]`; empty for more than 100. */
export function spelledOut(text: string): readonly string[] {
  let all = [""];
  for (const part of text.split(/(\{[^{}]*\}|\[(?:[a-z]-[a-z]|\d{1,9}-\d{1,9})(?::\d+)?\])/i)) {
    const [, first, last] = /^\[(\w+)-(\w+)/.exec(part) ?? [];
    const list = part.startsWith("{") ? part.slice(1, -1).split(",") : [part];
    const items = first && last ? range(first, last) : list;
    if (all.length * items.length > MOST_SPELLED) return [];
    all = all.flatMap((start) => items.map((item) => start + item));
  }
  return all;
}

function range(first: string, last: string): readonly string[] {
  const isNumber = /^\d/.test(first);
  const code = (end: string): number => (isNumber ? Number(end) : end.charCodeAt(0));
  const length = Math.max(Math.min(code(last) - code(first), MOST_SPELLED) + 1, 0);
  const codes = Array.from({ length }, (_, index) => code(first) + index);
  return codes.map((one) => (isNumber ? `${one}`.padStart(first.length, "0") : String.fromCharCode(one)));
}
