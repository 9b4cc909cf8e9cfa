import { portToken } from "../container/token.ts";

/** The environment of the process: variables, folders and addresses. */
export interface Environment {
  /** The value of an environment variable; `undefined` if it is empty or not set. */
  readonly variable: (name: string) => string | undefined;
  /** The user's home folder, absolute. */
  readonly home: string;
  /** The folder that the command was started in, absolute. */
  readonly workingFolder: string;
  /** The folder of this user's persistent skillctl data, absolute; it may not exist yet. */
  readonly stateFolder: string;
  /** The current addresses of this machine, loopback included, in system order. */
  readonly addresses: () => readonly NetworkAddress[];
}

/** One address of one network adapter. */
export interface NetworkAddress {
  /** The system's name of the adapter: `eth0`, `en0`, `Wi-Fi`. */
  readonly adapter: string;
  /** An IP address, without brackets or zone. */
  readonly address: string;
  readonly family: 4 | 6;
  /** Whether it is reachable from this machine only. */
  readonly loopback: boolean;
}

export const ENVIRONMENT = portToken<Environment>("environment");
