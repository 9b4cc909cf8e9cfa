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
 * Denies listing all variables if the login token is one of them: in the environment, or set by the command itself
 * (specification, Authentication 4). Otherwise `env` is a normal command.
 */
@injectable()
export class NoTokenDumpRule implements RuleHandler {
  constructor(@inject(ENVIRONMENT) private readonly environment: Environment) {}

  readonly judge = ({ shell }: Subject): Verdict => {
    const isGiven = shell?.sets.some((one) => one.startsWith(`${NAME}=`)) ?? false;
    return { decision: isGiven || this.environment.variable(NAME) !== undefined ? "deny" : "allow" };
  };
}
