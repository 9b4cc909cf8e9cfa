import fc from "fast-check";
import type { HookClient } from "../client.ts";

/** For tests: a settings file as a person may have written it. */
export interface WrittenSettings {
  readonly value: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** The comments in it, all different. */
  readonly comments: readonly string[];
}

interface Style {
  readonly unit: string;
  readonly eol: string;
  readonly plain: boolean;
  readonly end: string;
  /** Used in rotation: the places of comments and of superfluous commas. */
  readonly choices: readonly number[];
}

const STYLE: fc.Arbitrary<Style> = fc.record({
  unit: fc.constantFrom("  ", "    ", "\t", ""),
  eol: fc.constantFrom("\n", "\r\n"),
  plain: fc.boolean(),
  end: fc.constantFrom("", "\n", "\r\n", "\n\n  "),
  choices: fc.array(fc.nat(19), { minLength: 10, maxLength: 40 }),
});

/** Settings of an agent: foreign hooks, or none, and further settings, in any style. */
export function writtenSettings(client: HookClient): fc.Arbitrary<WrittenSettings> {
  const foreign = fc
    .stringMatching(/^[a-z ./"'$\\-]{1,12}$/)
    .map((line) =>
      client.form === "flat"
        ? { command: line, matcher: "Shell" }
        : { matcher: "Bash", hooks: [{ type: "command", command: line }] },
    );
  const events = fc.constantFrom(...Object.keys(client.events), "Notification");
  const hooks = fc.dictionary(events, fc.array(foreign, { maxLength: 3 }), { maxKeys: 4 });
  const rest = fc.dictionary(
    fc.constantFrom("permissions", "env", "theme", "model", "ünï", "a/b"),
    fc.jsonValue({ maxDepth: 2 }).filter((one) => !JSON.stringify(one).includes("__proto__")),
    { maxKeys: 3 },
  );
  const given = fc.tuple(rest, fc.option(hooks, { nil: undefined }), fc.boolean(), fc.boolean());
  return fc.tuple(given, STYLE).map(([[others, own, first, headed], style]) => {
    const named = own === undefined ? {} : { hooks: own };
    const head = headed ? client.head : {};
    const value = first ? { ...head, ...named, ...others } : { ...others, ...named, ...head };
    // JSON values: no -0, and objects as they are parsed.
    return {
      value: JSON.parse(JSON.stringify(value)) as Readonly<Record<string, unknown>>,
      ...written(value, style),
    };
  });
}

function written(value: unknown, style: Style): Omit<WrittenSettings, "value"> {
  const comments: string[] = [];
  let turn = 0;
  const chosen = (): number => style.choices[turn++ % style.choices.length] ?? 0;
  const aside = (): string => {
    const choice = style.plain ? 9 : chosen();
    if (choice > 2) return "";
    const text = `note ${comments.length} {"}]`;
    comments.push(text);
    return choice === 0 ? ` /* ${text} */ ` : ` // ${text}${style.eol}`;
  };
  const render = (one: unknown, depth: number): string => {
    if (typeof one !== "object" || one === null) return JSON.stringify(one);
    const list = Array.isArray(one);
    const parts = list
      ? one.map((part: unknown) => render(part, depth + 1))
      : Object.entries(one).map(
          ([key, part]) => `${JSON.stringify(key)}:${aside()} ${render(part, depth + 1)}`,
        );
    const [open, close] = list ? "[]" : "{}";
    const line = style.unit === "" ? "" : style.eol + style.unit.repeat(depth + 1);
    const extra = !style.plain && parts.length > 0 && chosen() === 0 ? "," : "";
    const body = parts.map((part) => line + part + aside()).join(",");
    const last = parts.length === 0 || style.unit === "" ? "" : style.eol + style.unit.repeat(depth);
    return `${open}${aside()}${body}${extra}${last}${close}`;
  };
  const text = `${aside()}${render(value, 0)}${aside()}${style.end}`;
  return { text, comments };
}
