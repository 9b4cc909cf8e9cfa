/** Removes the byte-order mark, white space, underscores and case from a column name for comparisons of headers. */
export function levelled(header: string): string {
  return header
    .normalize("NFKC")
    .replaceAll(/[\s_\u200B\uFEFF]/gu, "")
    .toLowerCase();
}

type HeaderMatcher = (name: string) => { readonly currency?: string } | undefined;

/**
 * Compares levelled names with a header in which `¤` stands for a currency of three letters, or `*` at either end for any text. The
 * header is levelled on the first comparison, because an answer only needs the titles of formats.
 */
export function headerMatcher(header: string): HeaderMatcher {
  let matcher: HeaderMatcher | undefined;
  return (name) => (matcher ??= matcherOf(header))(name);
}

function matcherOf(header: string): HeaderMatcher {
  const own = levelled(header);
  const plain = own.replaceAll("*", "");
  if (own.includes("¤")) {
    const [before = "", after = ""] = own.split("¤");
    return (name) => {
      const currency = name.slice(before.length, name.length - after.length);
      const isFit = name.startsWith(before) && name.endsWith(after) && /^[a-z]{3}$/u.test(currency);
      return isFit ? { currency: currency.toUpperCase() } : undefined;
    };
  }
  const [opens, closes] = [own.startsWith("*"), own.endsWith("*")];
  const isFit = (name: string): boolean => {
    if (opens && closes) return name.includes(plain);
    if (opens) return name.endsWith(plain);
    return closes ? name.startsWith(plain) : name === plain;
  };
  return (name) => (isFit(name) ? {} : undefined);
}
