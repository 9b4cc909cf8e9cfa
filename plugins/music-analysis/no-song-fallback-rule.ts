import { injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import type { ChatRequest } from "./contract.ts";
import { isAboutSongs } from "./song-questions.ts";

/** Stops a single-song question that has no songId (specification, Tier C rules 4). */
@injectable()
export class NoSongFallbackRule implements RuleHandler {
  readonly judge = ({ input }: Subject): Verdict => {
    const { userMessage } = input as ChatRequest;
    return { decision: isAboutSongs(userMessage) ? "deny" : "allow" };
  };
}
