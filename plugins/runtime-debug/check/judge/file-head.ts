import type { Language } from "../../probes/languages.ts";
import { type SyntaxNode, namedChildrenOf } from "../../syntax/syntax.ts";
import { type Extent, familyOf, isComment } from "./places.ts";

/** Comments that mean something only at the top: of Ruby and Python, and the line that names the interpreter. */
const MAGIC =
  /^#(?:!|.*\b(?:frozen.string.literal|(?:en)?coding|warn.indent|shareable.constant.value)\s*[:=])/i;

/**
 * What a region stands in front of that has to come first in its file, as a sentence; `holder` holds the region as a
 * statement.
 */
export function headFault(
  language: Language,
  holder: SyntaxNode,
  { start, end }: Extent,
): string | undefined {
  if (holder.parent !== null) return undefined;
  const children = namedChildrenOf(holder);
  const above = children.filter((one) => one.endIndex <= start);
  const below = children.filter((one) => one.startIndex >= end);
  if (familyOf(language) === "php") {
    const first = below.find(
      ({ type, text }) =>
        (type === "declare_statement" && /strict_types|encoding/i.test(text)) ||
        (type === "namespace_definition" && !above.some((one) => one.type === "namespace_definition")),
    );
    return first && `In PHP \`${first.text.split(/[\r\n{]/)[0]?.trim()}\` has to be the first statement.`;
  }
  if (above.some((one) => !isComment(one) && one.type !== "hash_bang_line")) return undefined;
  const code = below.findIndex((one) => !isComment(one) && one.type !== "hash_bang_line");
  const magic = below
    .slice(0, code < 0 ? below.length : code)
    .find(({ type, text }) => type === "hash_bang_line" || MAGIC.test(text));
  return magic && `\`${magic.text}\` only counts at the top of the file.`;
}
