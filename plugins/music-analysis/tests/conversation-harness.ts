import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTestHost, type TestHost } from "skillctl/testing";
import { AskingService, type Answer } from "./asking-service.ts";
import { SKILLS } from "../../../contract-tests/harness.ts";

/** What `ask` answers, as far as these tests look at it. */
interface AskResult {
  readonly text: string;
  readonly kind: string;
  readonly requests: number;
  readonly conversation?: string;
  readonly candidates?: readonly string[];
}

/** How a host of the harness differs from the one before. */
interface HostChange {
  readonly token?: string;
  readonly now?: number | string;
  readonly config?: Readonly<Record<string, unknown>>;
}

/** A person at a host: what they ask in which conversation. */
interface Visitor {
  readonly test: TestHost;
  readonly ask: (question: string, conversation?: string, session?: string) => Promise<AskResult>;
  readonly songs: (input?: object, session?: string) => Promise<Readonly<Record<string, unknown>>>;
}

/** A service and a folder that hosts share, one after the other or at once. */
export interface Harness {
  readonly service: AskingService;
  /** Holds `state`. Absolute. */
  readonly folder: string;
  /** A host on the folder, as after a restart. Closed with the harness. */
  readonly host: (change?: HostChange) => Promise<Visitor>;
}

export const TOKEN = "canary-token-5f2b9c";

/** A service with these answers, and a folder for hosts; everything is closed and removed afterwards. */
export async function withHarness<T>(answer: Answer, action: (harness: Harness) => Promise<T>): Promise<T> {
  const service = await AskingService.start(answer);
  const folder = join(tmpdir(), `skillctl-conversation-${randomUUID()}`);
  const hosts: TestHost[] = [];
  const host = async ({ token = TOKEN, now, config = {} }: HostChange = {}): Promise<Visitor> => {
    const variables: Readonly<Record<string, string>> = {
      SVC_BASE_URL: service.url,
      SVC_HEADER_TOKEN: token,
    };
    const environment = {
      variable: (name: string) => variables[name],
      home: join(folder, "home"),
      workingFolder: join(folder, "work"),
      stateFolder: join(folder, "state"),
      addresses: () => [],
    };
    const test = await createTestHost({
      skills: SKILLS,
      config,
      ports: { environment },
      ...(now !== undefined && { now }),
    });
    hosts.push(test);
    return visitor(test);
  };
  try {
    for (const name of ["home", "work", "state"]) await mkdir(join(folder, name), { recursive: true });
    return await action({ service, folder, host });
  } finally {
    for (const one of hosts) await one.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A person at any host. */
export function visitor(test: TestHost): Visitor {
  const skill = "music-analysis";
  return {
    test,
    ask: async (question, conversation, session) =>
      (await test.run({
        skill,
        input: { question, ...(conversation !== undefined && { conversation }) },
        ...(session !== undefined && { session }),
      })) as AskResult,
    songs: async (input = {}, session) =>
      (await test.run({
        skill,
        command: "songs",
        input,
        ...(session !== undefined && { session }),
      })) as Readonly<Record<string, unknown>>,
  };
}
