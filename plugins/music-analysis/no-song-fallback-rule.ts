import { injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import type { ChatRequest } from "./contract.ts";
import { isAboutSongs } from "./song-questions.ts";

/** Stops a single-song question that has no songId (specification, Tier C rules 4). One that is no text is never sent. */
@injectable()
export class NoSongFallbackRule implements RuleHandler {
  readonly judge = ({ input }: Subject): Verdict => {
    const { userMessage } = input as Partial<ChatRequest>;
    return { decision: typeof userMessage === "string" && isAboutSongs(userMessage) ? "deny" : "allow" };
  };
}
