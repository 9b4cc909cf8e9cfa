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

const MOST_SPELLED = 100;

/** The addresses that a text stands for where curl reads `{a,b}`, `[a-c]` and `[1-3]` in it; none when they are many. */
export function spelledOut(text: string): readonly string[] {
  let all = [""];
  for (const part of text.split(/(\{[^{}]*\}|\[(?:[a-z]-[a-z]|\d{1,9}-\d{1,9})(?::\d+)?\])/i)) {
    const [, first, last] = /^\[(\w+)-(\w+)/.exec(part) ?? [];
    const items = part.startsWith("{")
      ? part.slice(1, -1).split(",")
      : first && last
        ? range(first, last)
        : [part];
    if (all.length * items.length > MOST_SPELLED) return [];
    all = all.flatMap((start) => items.map((item) => start + item));
  }
  return all;
}

function range(first: string, last: string): readonly string[] {
  const isNumber = /^\d/.test(first);
  const [from, to] = [first, last].map((end) => (isNumber ? Number(end) : end.charCodeAt(0))) as [
    number,
    number,
  ];
  const length = Math.min(to - from, MOST_SPELLED) + 1;
  return Array.from({ length: Math.max(length, 0) }, (_, index) =>
    isNumber ? String(from + index).padStart(first.length, "0") : String.fromCharCode(from + index),
  );
}
