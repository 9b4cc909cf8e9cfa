import { createHash } from "node:crypto";
import { injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import type { AskOutput } from "./contract.ts";
import { text } from "./texts.ts";

const HINT = lineOf(text("account-hint"));

/**
 * Stops a reply that is not what the service answered (specification, Presentation rule 1): each content must have
 * its hash, and the text must be the contents in order, then at most the hint line.
 */
@injectable()
export class VerbatimReplyRule implements RuleHandler {
  readonly judge = ({ output }: Subject): Verdict => {
    const { text: shown, kind, answers } = output as AskOutput;
    if (kind !== "account" && kind !== "song") return { decision: answers.length === 0 ? "allow" : "deny" };
    const genuine = answers.every(({ content, contentSha256 }) => sha256(content) === contentSha256);
    const contents = answers.map(({ content }) => content).join("\n\n");
    const rest = shown.startsWith(contents) ? shown.slice(contents.length) : undefined;
    const fits = rest !== undefined && (rest === "" || (kind === "account" && HINT.test(rest)));
    return { decision: genuine && fits ? "allow" : "deny" };
  };
}

/** SHA-256 of a text in UTF-8, hexadecimal. */
export function sha256(content: string): string {
  return createHash("sha256").update(content, "utf8").digest("hex");
}

/** The hint line with any name, after line ends only. */
function lineOf(template: string): RegExp {
  const quoted = template
    .split("《{TOP_SONG_NAME}》")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^\\s*${quoted.join("[^\\r\\n]+")}$`, "u");
}
