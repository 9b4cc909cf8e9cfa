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
  /** The addresses of this machine now, loopback ones included, in the order of the system. */
  readonly addresses: () => readonly NetworkAddress[];
}

/** One address of one network adapter. */
export interface NetworkAddress {
  /** As the system calls it: `eth0`, `en0`, `Wi-Fi`. */
  readonly adapter: string;
  /** A literal, without brackets or zone. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Whether it is only reached from this machine. */
  readonly loopback: boolean;
}

export const ENVIRONMENT = portToken<Environment>("environment");
