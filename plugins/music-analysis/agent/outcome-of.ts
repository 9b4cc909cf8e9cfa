import type { Subject } from "skillctl";
import type { AskInput, AskOutput, ChatRequest, ChatSyncOutput } from "../contract.ts";
import type { Presentation } from "../presentation.ts";
import { text } from "../texts.ts";
import { sha256 } from "../verbatim-reply-rule.ts";
import { fingerprintOf, type Fingerprint } from "./fingerprint.ts";

/** What became of a question: what is to be shown, or why there is nothing. */
export interface Outcome {
  /** SHA-256 of the question. */
  readonly question: string;
  readonly kind: "answer" | "choice" | "unsupported" | "refused";
  /** refused: the error code. */
  readonly code?: string;
  /** All others: what is to be shown. */
  readonly shown?: Fingerprint;
  /** It came from `chat-sync`, of which only the last answer is for the user. */
  readonly raw?: boolean;
}

/** What a command that has ended well answers; undefined when there is nothing to show of it. */
export function outcomeOf({ name, input, output }: Subject, presentation: Presentation): Outcome | undefined {
  if (name === "ask") return ofAsk(input as AskInput, output as AskOutput);
  return name === "chat-sync"
    ? ofChatSync(input as ChatRequest, output as ChatSyncOutput, presentation)
    : undefined;
}

function ofAsk({ question }: AskInput, { text: shown, kind }: AskOutput): Outcome {
  return {
    question: sha256(question),
    kind: kind === "account" || kind === "song" ? "answer" : kind,
    shown: fingerprintOf(shown),
  };
}

/** The presentation rules are the same, but here the model keeps them (specification, Presentation rules 1 to 3). */
function ofChatSync(
  { userMessage, songId }: ChatRequest,
  { text: printed }: ChatSyncOutput,
  presentation: Presentation,
): Outcome | undefined {
  const { data } = JSON.parse(printed) as { data?: Partial<Record<string, unknown>> | null };
  const { content, finishReason, safetyRevoked } = data ?? {};
  const question = sha256(userMessage);
  const isRevoked = (safetyRevoked ?? false) !== false;
  if (isRevoked || finishReason !== "COMPLETE")
    return {
      question,
      kind: "refused",
      code: isRevoked ? "MUSIC_SAFETY_REVOKED" : `MUSIC_${String(finishReason)}`,
    };
  if (typeof content !== "string" || content === "") return undefined;
  // The internal overall question, whose content is not shown (States and transitions 2).
  if (songId === undefined && userMessage === text("mapping-question")) return undefined;
  const whole =
    songId === undefined
      ? presentation.account({ content, finishReason, safetyRevoked: false, sessionId: "", messageId: "" })
          .text
      : presentation.filtered(content);
  return { question, kind: "answer", raw: true, shown: fingerprintOf(whole) };
}
