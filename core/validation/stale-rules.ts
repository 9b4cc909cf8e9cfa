import { RULES_BEGIN, withRules, withoutRules, type ToldRule } from "../skill-document.ts";

/** What is wrong with the block of rules in a SKILL.md: it has to tell those of the manifest. Without a block, nothing. */
export function staleRules(text: string, rules: readonly ToldRule[]) {
  const plain = text.replaceAll("\r\n", "\n");
  if (withoutRules(plain) === plain || withRules(plain, rules) === plain) return [];
  const line = plain.slice(0, plain.indexOf(RULES_BEGIN)).split("\n").length;
  const sentence =
    "The rules told here are not those of skill.json; `skillctl prompt` shows them as they are to stand here.";
  return [{ code: "RULES_STALE", severity: "warning" as const, line, sentence }];
}
