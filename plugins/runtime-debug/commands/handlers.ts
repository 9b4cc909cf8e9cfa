import { token, type CommandHandler } from "skillctl";
import type { Contract } from "../contract.ts";

type Commands = Contract["commands"];
export type Handler<Name extends keyof Commands> = CommandHandler<
  Commands[Name]["input"],
  Commands[Name]["output"]
>;

/** Commands that other commands call, each with its own conditions, record entry and gate. */
export const HYPOTHESIZE = token<Handler<"hypothesize">>("hypothesize-handler");
export const PROBE = token<Handler<"probe">>("probe-handler");
export const REPRODUCE = token<Handler<"reproduce">>("reproduce-handler");
export const ANSWER = token<Handler<"answer">>("answer-handler");
export const CLEANUP = token<Handler<"cleanup">>("cleanup-handler");
