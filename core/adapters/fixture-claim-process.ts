import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** For tests: a process that claims names on request and keeps them. */
export interface Claimer {
  readonly process: ChildProcess;
  readonly ready: Promise<unknown>;
  /** Whether the process got the name. */
  readonly claim: (name: string) => Promise<boolean>;
  /** Closes its input, after which it must exit: a held name does not keep a process alive. */
  readonly end: () => Promise<number | null>;
}

/** For tests: starts a claim process with this state folder or address of a database. */
export function claimer(place: string): Claimer {
  const at = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { createInterface } from "node:readline";
    import { processEnvironment } from ${at("environment.ts")};
    import { storesOf } from ${at("stores.ts")};
    const environment = processEnvironment({ SKILLCTL_STATE: process.argv[1] });
    const { claims } = storesOf({ environment, log: console });
    process.stdout.write("ready\\n");
    for await (const name of createInterface({ input: process.stdin }))
      process.stdout.write((await claims.claim(name)) ? "held\\n" : "taken\\n");`;
  const words = ["--conditions=@skillctl/source", "--import", import.meta.resolve("tsx")];
  const child = spawn(process.execPath, [...words, "--input-type=module", "-e", script, place], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  child.stdout.setEncoding("utf8");
  return {
    process: child,
    ready: once(child.stdout, "data"),
    claim: async (name) => {
      const answer = once(child.stdout, "data");
      child.stdin.write(`${name}\n`);
      return String((await answer)[0]) === "held\n";
    },
    end: async () => {
      child.stdin.end();
      return ((await closed) as [number | null])[0];
    },
  };
}
