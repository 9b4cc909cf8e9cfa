import { readFile } from "node:fs/promises";
import type { TestContext } from "node:test";
import { createTestHost, type TestHost, type TestHostOptions } from "skillctl/testing";
import type { ServeInput, ServeOutput } from "../contract.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

/** What a server announces about itself. */
export type Announced = Required<Omit<ServeOutput, "text" | "ended" | "key_file">> &
  Pick<ServeOutput, "key_file">;

/** A server in this process. */
export interface Serving {
  readonly info: Announced;
  /** Stops it and returns the command's output. */
  readonly stop: () => Promise<ServeOutput>;
  /** Settles when it ends by itself. */
  readonly ended: Promise<ServeOutput>;
}

const FIRST = "@@DEBUG_SERVER_INFO\n";
const LAST = "\n@@END_DEBUG_SERVER_INFO";

/** The object between the two lines that agents look for. */
export function blockIn(text: string): Announced {
  return JSON.parse(text.slice(text.indexOf(FIRST) + FIRST.length, text.indexOf(LAST))) as Announced;
}

/** The keys of a server that asks for them. */
export async function keysOf({ key_file = "" }: Announced): Promise<Record<"control" | "collect", string>> {
  const { control, collect } = JSON.parse(await readFile(key_file, "utf8")) as Record<string, string>;
  return { control: control ?? "", collect: collect ?? "" };
}

/** A host that ends its servers before it closes. */
export interface DebugHost extends TestHost {
  readonly servers: (() => Promise<unknown>)[];
}

/** A host with the built-in skills, closed after the test. */
export async function debugHost(t: TestContext, options: TestHostOptions = {}): Promise<DebugHost> {
  const host = await createTestHost({ skills: SKILLS, ...options });
  const servers: (() => Promise<unknown>)[] = [];
  t.after(async () => {
    await Promise.allSettled(servers.map((stop) => stop()));
    await host.close();
  });
  return { ...host, servers };
}

/** Serves until it is told to stop or the test is over. A host other than `host` may get the same folder. */
export async function serving(host: DebugHost, input: Partial<ServeInput> = {}): Promise<Serving> {
  const stop = new AbortController();
  let announced: (block: string) => void = () => undefined;
  const block = new Promise<string>((resolve) => (announced = resolve));
  const ended = host.run({
    skill: "runtime-debug",
    command: "serve",
    surface: "cli",
    input: { session: "login-timeout", port: 0, ...input },
    signal: stop.signal,
    announce: announced,
  }) as Promise<ServeOutput>;
  // A failure rejects the wait for the block; after that it rejects the wait for the end.
  ended.catch(() => undefined);
  const halt = async (): Promise<ServeOutput> => {
    stop.abort();
    return ended;
  };
  host.servers.push(halt);
  const info = blockIn(await Promise.race([block, ended.then(({ text }) => text)]));
  return { info, stop: halt, ended };
}
