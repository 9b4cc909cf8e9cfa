import { portToken } from "../container/token.ts";

/** The surroundings of the process: variables, folders, platform. */
export interface Environment {
  /** The value of an environment variable; an empty one counts as not set. */
  readonly variable: (name: string) => string | undefined;
  /** The user's home folder, absolute. */
  readonly home: string;
  /** The folder the command was given in, absolute. */
  readonly workingFolder: string;
  /** Where this user's lasting data of skillctl live, absolute; not created yet. */
  readonly stateFolder: string;
}

export const ENVIRONMENT = portToken<Environment>("environment");
