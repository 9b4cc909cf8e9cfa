const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

/**
 * What `echo` writes. Shells differ in what they make of a backslash without `-e`, and of options: there it is not known.
 */
export function echoed(args: readonly string[]): string | undefined {
  let rest = args;
  let line = true;
  let escapes = false;
  while (/^-[neE]+$/.test(rest[0] ?? "")) {
    const [flags = "", ...others] = rest;
    if (flags.includes("n")) line = false;
    if (flags.includes("e")) escapes = true;
    if (flags.includes("E")) return undefined;
    rest = others;
  }
  const text = rest.join(" ");
  if (!text.includes("\\")) return line ? `${text}\n` : text;
  if (!escapes) return undefined;
  const decoded = unescaped(text, /^0[0-7]{1,3}$/);
  return decoded === undefined ? undefined : decoded + (line ? "\n" : "");
}

/** What `printf` writes, for formats of text and plain numbers. */
export function printed([format, ...args]: readonly string[]): string | undefined {
  if (format === undefined || format.startsWith("-")) return undefined;
  const marks = format.match(/%./g)?.filter((mark) => mark !== "%%") ?? [];
  if (marks.some((mark) => !/^%[sbdic]$/.test(mark)) || format.endsWith("%")) return undefined;
  const plain = unescaped(format.replaceAll("%%", "%\0"), /^[0-7]{1,3}$/);
  if (plain === undefined || plain.split("%").length !== format.replaceAll("%%", "%").split("%").length)
    return undefined;
  let result = "";
  let at = 0;
  do {
    let failed = false;
    result += plain.replace(/%([sbdic\0])/g, (_, kind: string) => {
      if (kind === "\0") return "%";
      const arg = args[at++];
      const text = filled(kind, arg);
      failed ||= text === undefined;
      return text ?? "";
    });
    if (failed) return undefined;
  } while (at < args.length && marks.length > 0);
  return result;
}

function filled(kind: string, arg: string | undefined): string | undefined {
  if (kind === "s") return arg ?? "";
  if (kind === "b") return unescaped(arg ?? "", /^0[0-7]{1,3}$/);
  if (kind === "c") return (arg ?? "").slice(0, 1);
  return /^-?(0|[1-9]\d*)$/.test(arg ?? "0") ? (arg ?? "0") : undefined;
}

/**
 * Escapes as `printf` and `echo -e` know them; `undefined` where the result is no plain text, or where shells read the
 * digits of a number differently.
 */
function unescaped(text: string, octals: RegExp): string | undefined {
  let failed = false;
  const result = text.replace(
    /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|(0?[0-7]{1,3})|([^]))/g,
    (
      whole,
      hex: string | undefined,
      unicode: string | undefined,
      octal: string | undefined,
      char: string | undefined,
    ) => {
      if (char !== undefined) {
        if (char === "c") failed = true;
        return ESCAPES[char] ?? whole;
      }
      const code =
        octal === undefined ? Number.parseInt(hex ?? unicode ?? "", 16) : Number.parseInt(octal, 8);
      // A byte alone may be a part of a character.
      if (code === 0 || (octal !== undefined && !octals.test(octal)) || (unicode === undefined && code > 127))
        failed = true;
      return String.fromCharCode(code);
    },
  );
  return failed ? undefined : result;
}
