import {
  ENVIRONMENT,
  inject,
  injectable,
  type Environment,
  type RuleHandler,
  type Subject,
  type Verdict,
} from "skillctl";
import { holds, inside, writtenBy } from "./paths.ts";

const MOVED = /^(?:SKILLCTL_STATE|XDG_STATE_HOME|LOCALAPPDATA|HOME|USERPROFILE)$/;

/** What opens the gates is kept outside the project and written by the commands alone: an agent's tools change neither. */
@injectable()
export class LedgerGate implements RuleHandler {
  constructor(@inject(ENVIRONMENT) private readonly environment: Environment) {}

  readonly judge = (subject: Subject): Verdict => {
    const { stateFolder } = this.environment;
    const path = writtenBy(subject).find(
      (one) => inside(stateFolder, one) !== undefined || holds(one, stateFolder),
    );
    if (path !== undefined) return denied(`${path} holds the state of debug sessions.`);
    const { phases = [], shell } = subject;
    const isOurs = shell?.programs.some(({ name }) => name === "skillctl");
    const variable = shell?.sets.map((set) => set.split("=")[0] ?? "").find((name) => MOVED.test(name));
    if (isOurs && variable !== undefined && phases.some((phase) => phase.startsWith("runtime-debug:")))
      return denied(`With ${variable} skillctl would look for the session somewhere else.`);
    return { decision: "allow" };
  };
}

function denied(sentence: string): Verdict {
  return {
    decision: "deny",
    message: `${sentence} Only skillctl writes there.`,
    agentMessage: `${sentence} Only the commands of skillctl write there. Where a session stands, and what comes next, says \`skillctl run runtime-debug status\`.`,
  };
}
