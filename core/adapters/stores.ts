import type { Claims } from "../ports/claim.ts";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { Files } from "../ports/files.ts";
import type { Log } from "../ports/log.ts";
import type { State } from "../ports/state.ts";
import { nodeClaims } from "./claims.ts";
import { stateAddress } from "./environment.ts";
import { stateFiles } from "./state-files.ts";

/** The stores of documents and of names that processes hold. */
export interface Stores {
  readonly state: State;
  readonly claims: Claims;
}

interface Parts {
  readonly environment: Environment;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Pick<Log, "notice">;
}

/** Files of the state folder, or the database at an address, whose driver is loaded on first use. */
export function storesOf(parts: Parts, address = stateAddress(parts.environment.variable)): Stores {
  const { environment, files, clock, log } = parts;
  if (address === undefined)
    return {
      state: stateFiles(environment.stateFolder, files, clock),
      claims: nodeClaims(environment.stateFolder),
    };
  let opened: Promise<Stores> | undefined;
  const open = (): Promise<Stores> =>
    (opened ??= import("./database-stores.ts").then((module) => module.databaseStores(address, clock, log)));
  return {
    state: {
      read: async (name) => (await open()).state.read(name),
      update: async (...update) => (await open()).state.update(...update),
    },
    claims: { claim: async (name) => (await open()).claims.claim(name) },
  };
}
