import {
  ENVIRONMENT,
  inject,
  injectable,
  type Environment,
  type RuleHandler,
  type Subject,
  type Verdict,
} from "skillctl";

const NAME = "SVC_HEADER_TOKEN";

/**
 * Stops a listing of all variables where the login token is one of them: here, or given by the command itself
 * (specification, Authentication 4). Elsewhere `env` is daily work.
 */
@injectable()
export class NoTokenDumpRule implements RuleHandler {
  constructor(@inject(ENVIRONMENT) private readonly environment: Environment) {}

  readonly judge = ({ shell }: Subject): Verdict => {
    const isGiven = shell?.sets.some((one) => one.startsWith(`${NAME}=`)) ?? false;
    return { decision: isGiven || this.environment.variable(NAME) !== undefined ? "deny" : "allow" };
  };
}
