/** What a line that is nothing but a marker says. */
export type Marker =
  /** Begins instrumentation; `label` is what stands behind the name, such as `A:token`. */
  | { readonly kind: "begin"; readonly format: "debug-point" | "agent log"; readonly label: string }
  /** Begins a fold of somebody else's. */
  | { readonly kind: "other" }
  /** Ends the last one that has begun. */
  | { readonly kind: "end"; readonly label: string };

/**
 * A comment of one line in any language, `{/*` of JSX included, and what it holds. Markers are written in all of them:
 * `// #region`, `# region`, `-- #region`, `<!-- #region -->`, and `#region` alone where it is a directive.
 */
const COMMENT =
  /^\s*(?:\{\s*\/\*|\/\*|\/\/|<!--|--|%|;|'|(?:rem|REM)\s|(?=#\s?(?:end)?region\b)|#)\s*(.*?)\s*(?:\*\/\s*\}?|-->)?\s*$/;
/** Also `// region` and `//# endregion`. */
const MARKER = /^#?\s?(end)?region\b[:\s]*(.*)$/i;
const INSTRUMENTATION = /^(debug-point|agent log)\b[:\s]*(.*)$/i;

/**
 * Reads a line as a marker. A line that holds anything else beside the comment is none: code in front of a marker
 * would go with it.
 */
export function markerIn(line: string): Marker | undefined {
  const comment = COMMENT.exec(line)?.[1];
  const marker = comment === undefined ? null : MARKER.exec(comment);
  if (!marker) return undefined;
  const [, end, rest = ""] = marker;
  if (end !== undefined) return { kind: "end", label: rest };
  const [, format, label = ""] = INSTRUMENTATION.exec(rest) ?? [];
  if (format === undefined) return { kind: "other" };
  return { kind: "begin", format: format.toLowerCase() === "agent log" ? "agent log" : "debug-point", label };
}
