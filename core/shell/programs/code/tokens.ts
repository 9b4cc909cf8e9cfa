/** One piece of a program text. */
export interface Token {
  readonly kind: "name" | "string" | "number" | "mark";
  /** The name or mark; of a string its value, `undefined` when parts of it are computed. */
  readonly text: string | undefined;
  /** A line ends before it. */
  readonly first: boolean;
}

export interface Strings {
  /** Quotes that begin a string, longest first. */
  readonly quotes: readonly string[];
  /** Quotes within which a mark begins code, and that mark: `${` of a template. */
  readonly computed: Readonly<Record<string, string>>;
  /** Letters that may stand before a quote. */
  readonly prefix: RegExp;
  /** What begins a comment up to the end of its line. */
  readonly comment: string;
  readonly regexes: boolean;
}

const SPACE = /^[ \t\r\n\f]+/;
const NAME = /^[A-Za-z_$][\w$]*/;
const NUMBER = /^\d[\w.]*/;
const MARK = /^(?:=>|===|!==|\?\.|::|->|\*\*|&&|\|\||\?\?|==|!=|<=|>=|\+\+|--|[^])/;
const REGEX = /^\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\[\n]){1,500}\/[a-z]*/;

/** Cuts a program text into pieces; `undefined` when it holds what no reader here knows (other letters, escapes outside of strings). */
export function tokens(text: string, strings: Strings): readonly Token[] | undefined {
  const list: Token[] = [];
  let rest = text;
  let first = true;
  const push = (kind: Token["kind"], value: string | undefined) => {
    list.push({ kind, text: value, first });
    first = false;
  };
  while (rest !== "") {
    const space = SPACE.exec(rest)?.[0] ?? "";
    first ||= space.includes("\n");
    rest = rest.slice(space.length);
    if (rest === "") break;
    const block = strings.regexes && rest.startsWith("/*") ? rest.indexOf("*/", 2) : undefined;
    if (block === -1) return undefined;
    if (block !== undefined || rest.startsWith(strings.comment)) {
      rest = rest.slice(block === undefined ? /^[^\n]*/.exec(rest)?.[0].length : block + 2);
      continue;
    }
    const lead = strings.prefix.exec(rest)?.[0] ?? "";
    const quote = strings.quotes.find((mark) => rest.startsWith(mark, lead.length));
    if (quote !== undefined) {
      const read = readString(
        rest.slice(lead.length + quote.length),
        quote,
        strings.computed[lead.toLowerCase() + quote] ?? strings.computed[quote],
      );
      if (read === undefined) return undefined;
      push("string", /r/i.test(lead) && rest.slice(0, read.length).includes("\\") ? undefined : read.value);
      for (const inner of read.inner) {
        const within = tokens(inner, strings);
        if (within === undefined) return undefined;
        list.push({ kind: "mark", text: "${", first: false }, ...within, {
          kind: "mark",
          text: "}$",
          first: false,
        });
      }
      rest = rest.slice(lead.length + quote.length + read.length);
      continue;
    }
    const before = list.at(-1);
    const regex =
      strings.regexes &&
      (before === undefined ||
        (before.kind === "mark" && /^(?:[(,=:[&|;]|===?|&&|\|\|)$/.test(before.text ?? "")))
        ? REGEX.exec(rest)?.[0]
        : undefined;
    const name = NAME.exec(rest)?.[0];
    const number = NUMBER.exec(rest)?.[0];
    const mark = MARK.exec(rest)?.[0] ?? "";
    if (regex === undefined && name === undefined && number === undefined && /[^\x21-\x7e]|\\/.test(mark))
      return undefined;
    if (regex !== undefined) push("number", regex);
    else if (name !== undefined) push("name", name);
    else if (number !== undefined) push("number", number);
    else push("mark", mark);
    rest = rest.slice((regex ?? name ?? number ?? mark).length);
  }
  return list;
}

interface ReadString {
  readonly value: string | undefined;
  readonly length: number;
  readonly inner: readonly string[];
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  '"': '"',
  "'": "'",
  "`": "`",
  "/": "/",
};

function readString(text: string, quote: string, computed: string | undefined): ReadString | undefined {
  let value: string | undefined = "";
  const inner: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (text.startsWith(quote, at)) return { value, length: at + quote.length, inner };
    if (char === "\\") {
      const next = ESCAPES[text.charAt(++at)];
      value = next === undefined || value === undefined ? undefined : value + next;
    } else if (computed !== undefined && text.startsWith(computed, at)) {
      if (computed === "{" && text.charAt(at + 1) === "{") {
        at++;
        continue;
      }
      const end = text.indexOf("}", at);
      const code = text.slice(at + computed.length, end);
      if (end === -1 || /[{`]/.test(code)) return undefined;
      inner.push(computed === "{" ? code.replace(/(?:![rsa])?(?::[\w\s.,<>^=+%#-]*)?$/, "") : code);
      value = undefined;
      at = end;
    } else if (value !== undefined) value += char;
  }
  return undefined;
}
