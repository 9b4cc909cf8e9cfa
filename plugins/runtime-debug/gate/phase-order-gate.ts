import { inject, injectable, type RuleHandler, type Subject, type Verdict } from "skillctl";
import { fieldsOf } from "./edited-text.ts";
import { inside } from "./paths.ts";
import { SITES, type Sites, type Site } from "./sites.ts";
import { verdictOf, type Objection } from "./verdict.ts";
import { ACTIONS, type Action, take } from "../session/steps.ts";
import type { SessionEntry } from "../session/entry.ts";

/** Phases are run in order and none is skipped (specification, States and transitions). The command says the same. */
@injectable()
export class PhaseOrderGate implements RuleHandler {
  constructor(@inject(SITES) private readonly sites: Sites) {}

  /** @throws SkillError as `Sites.of` does: then the rule has denied. */
  async judge(subject: Subject): Promise<Verdict> {
    const objections: Objection[] = [];
    for (const command of ownCommands(subject)) {
      const action = actionOf(command);
      if (action === undefined) continue;
      for (const site of await this.sites.of(subject)) {
        const sessions = meant(command, site);
        const refusals = sessions.flatMap((session): readonly Objection[] => {
          const taken = take(session.state, action, () => true);
          return taken.ok ? [] : [{ decision: "deny", sentence: taken.sentence, session }];
        });
        // Which of several sessions is meant the command finds out: one that can is enough.
        if (refusals.length === sessions.length) objections.push(...refusals);
      }
    }
    return verdictOf(
      objections,
      "The steps of a session come in order.",
      "Do the step that is missing first.",
    );
  }
}

/** The cleanup has a rule of its own; looking changes no state. */
function actionOf({ name, words }: OwnCommand): Action | undefined {
  if (name === "cleanup" || words.includes("--staged")) return undefined;
  const letter = words.find((word) => /^(?:--answer=)?[A-Da-d]$/.test(word));
  // What a session is asked at any step is looked at; `check` only tells elsewhere.
  if (name === "check") return undefined;
  const action =
    name === "answer" && letter !== undefined ? `answer ${letter.slice(-1).toUpperCase()}` : name;
  return ACTIONS.find((one) => one === action);
}

/** A command of this skill that a shell command calls. */
export interface OwnCommand {
  readonly name: string;
  /** The words behind the name. */
  readonly words: readonly string[];
  /** The folder that it is called in, where that is known. */
  readonly cwd: string | undefined;
}

/** The calls of `skillctl run runtime-debug`, and of its tools through MCP; those that only ask for help are none. */
export function ownCommands({ shell, cwd, tool, name = "", input }: Subject): readonly OwnCommand[] {
  const [, called] = (tool === "mcp" && /(?:__|:)runtime-debug_([a-z-]+)$/.exec(name)) || [];
  if (called !== undefined) {
    const given = Object.values(fieldsOf(input)).filter((value) => typeof value === "string");
    return [{ name: called, words: given, cwd }];
  }
  return (shell?.programs ?? []).flatMap((program): readonly OwnCommand[] => {
    if (program.name !== "skillctl" || program.args.some((word) => word === "--help" || word === "-h"))
      return [];
    const at = program.args.indexOf("run");
    const [skill, name, ...words] = program.args.slice(at + 1).filter((word) => !/^--?json$/.test(word));
    if (at < 0 || skill !== "runtime-debug" || name === undefined) return [];
    return [{ name, words, cwd: program.cwd ?? cwd }];
  });
}

/** The sessions of a site that a command may be about: the one that it names, else all. */
export function meant({ words, cwd }: OwnCommand, { root, sessions }: Site): readonly SessionEntry[] {
  if (cwd !== undefined && inside(root, cwd) === undefined) return [];
  const said = words.map((word) => word.replace(/^--session=/, ""));
  const named = sessions.filter(({ id }) => said.includes(id));
  return named.length > 0 ? named : sessions;
}
