/** The claims that can name an account, the most telling first (OpenID Connect Core, 5.1). */
const NAMES = ["preferred_username", "email", "phone_number", "nickname", "name", "sub"] as const;

/** What of an account may be shown: enough to tell two of one's own apart, never the whole of a claim. */
export function maskedAccount(claims: Readonly<Record<string, unknown>>): string | undefined {
  const name = NAMES.map((claim) => claims[claim]).find((value) => typeof value === "string" && value !== "");
  return typeof name === "string" ? masked(name) : undefined;
}

/** The first character, and the last two of a text of six or more. */
function masked(text: string): string {
  const characters = [...text.replace(/[^\p{L}\p{N}@._+-]/gu, "")];
  if (characters.length < 4) return "***";
  return `${characters[0]}***${characters.length < 6 ? "" : characters.slice(-2).join("")}`;
}
