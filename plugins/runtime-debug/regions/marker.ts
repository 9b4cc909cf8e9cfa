/** What a line that is nothing but a marker says. */
export type Marker =
  /** Begins instrumentation; `label` is what stands behind the name, such as `A:token`. */
  | { readonly kind: "begin"; readonly format: "debug-point" | "agent log"; readonly label: string }
  /** Begins a fold of somebody else's. */
  | { readonly kind: "other" }
  /** Ends the last one that has begun; `own` when it says that it ends instrumentation. */
  | { readonly kind: "end"; readonly label: string; readonly own: boolean };

/**
 * A comment of one line in any language, `{/*` of JSX included, and what it holds. Markers are written in all of them:
 * `// #region`, `# region`, `-- #region`, `<!-- #region -->`, `(* #region *)`, and `#region` alone where it is a directive. A comment that
 * goes on in the next line is none, and one that ends before the line does.
 */
const COMMENT =
  /^\s*(?:(?:\{\s*)?\/\*((?:[^*]|\*(?!\/))*)\*\/\s*\}?|<!--((?:[^-]|-(?!->))*)-->|\(\*((?:[^*]|\*(?!\)))*)\*\)|(?:\/\/|--|%|;|'|!|(?:rem|REM)\s|(?=#\s?(?:end)?region\b)|#)(.*))\s*$/;
/** Ends a line for a language and not for an editor, or the other way round, as a backslash does in C. */
const HIDDEN_END = /[\v\f\u0085\u2028\u2029]|\\\s*$|\?\?\/\s*$/;
/** Also `// region` and `//# endregion`. */
const MARKER = /^#?\s?(end)?region\b[:\s]*(.*)$/i;
const INSTRUMENTATION = /^(debug-point|agent log)\b[:\s]*(.*)$/i;

/**
 * Reads a line as a marker. A line that holds anything else beside the comment is none: code in front of a marker
 * would go with it.
 */
export function markerIn(line: string): Marker | undefined {
  if (!/region/i.test(line) || HIDDEN_END.test(line)) return undefined;
  const [, block, page, pascal, rest] = COMMENT.exec(line) ?? [];
  const marker = MARKER.exec((block ?? page ?? pascal ?? rest ?? "").trim());
  if (!marker) return undefined;
  const [, end, text = ""] = marker;
  const [, format, label = ""] = INSTRUMENTATION.exec(text) ?? [];
  if (end !== undefined)
    return { kind: "end", label: format === undefined ? text : label, own: format !== undefined };
  if (format === undefined) return { kind: "other" };
  return { kind: "begin", format: format.toLowerCase() === "agent log" ? "agent log" : "debug-point", label };
}
