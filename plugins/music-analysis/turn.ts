import type { Conversation } from "./conversation/conversation.ts";
import type { PendingChoice } from "./conversation/state.ts";
import type { Round } from "./round.ts";

/** One question of the user on its way: what is asked, and in which conversation. */
export interface Turn {
  /** As it is sent. */
  readonly question: string;
  /** Songs of the question that the user has chosen before. */
  readonly chosen: PendingChoice["chosen"];
  readonly conversation: Conversation;
  readonly round: Round;
}
