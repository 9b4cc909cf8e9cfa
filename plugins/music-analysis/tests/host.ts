import assert from "node:assert/strict";
import { inspect } from "node:util";
import { SkillError, type Http, type Wiring } from "skillctl";
import { builtinSkills } from "skillctl/skills";
import type { HostedSkill } from "skillctl/host";
import { createTestHost, type TestHost } from "skillctl/testing";
import { ACCESS_TOKENS, type AccessTokens, type Renewal } from "../../ports.ts";
import { causesOf } from "../../../core/errors/causes.ts";
import { nodePorts } from "../../../core/host.ts";
import { fixtureSkill } from "../../../core/testing/fixture-skills.ts";
import { FakeService, type ScriptedReply } from "../../../contract-tests/fake-service.ts";

/** The token that goes out first; it must be found in the header of requests and nowhere else. */
export const TOKEN = "canary-token-5f2b9c+/=7e1";
/** The result of the next login. */
export const SECOND_TOKEN = "canary-token-81d4aa+/=c03";
/** Occurs in every body that must not be shown. */
export const BODY = "canary-body-9a60";

/** The part of the output of `ask` that tests read. */
export interface Shown {
  readonly text: string;
  readonly kind: string;
  readonly requests: number;
  readonly answers: readonly {
    readonly content: string;
    readonly contentSha256: string;
    readonly sessionId?: string;
  }[];
  readonly candidates?: readonly string[];
  readonly conversation?: string;
}

/** A login skill in memory: each new login yields the next token, until none is left. */
export class FakeLogin implements AccessTokens {
  /** The refused tokens, in the order in which a new login was asked for. */
  readonly renewals: string[] = [];
  readonly waits: Renewal[] = [];
  readonly #tokens: readonly string[];
  #place = 0;

  constructor(tokens: readonly string[] = [TOKEN, SECOND_TOKEN]) {
    this.#tokens = tokens;
  }

  readonly current = async () => ({ value: this.#tokens[this.#place] ?? "", source: "cache" }) as const;

  readonly held = async () => this.#tokens;

  readonly renew: AccessTokens["renew"] = async (_origin, failed, wait) => {
    this.renewals.push(failed);
    this.waits.push(wait);
    if (this.#place + 1 < this.#tokens.length) this.#place += 1;
    else throw new SkillError("TOKEN_MISSING", "No new token.", { hint: "Log in by hand." });
    return this.current();
  };

  /** The skill that lends it. */
  get skill(): HostedSkill {
    const { current, renew, held } = this;
    class Lent implements AccessTokens {
      readonly current = current;
      readonly renew = renew;
      readonly held = held;
    }
    const code = { wire: ({ single }: Wiring) => single(ACCESS_TOKENS, Lent) };
    return fixtureSkill("memory-login", { provides: ["access-tokens"], code });
  }
}

/** The built-in skills, with another login. */
export function skillsWith(login: FakeLogin): readonly HostedSkill[] {
  return [...builtinSkills().filter(({ manifest }) => manifest.name !== "login-proxy"), login.skill];
}

/** The parts that a test uses. */
export interface Music {
  readonly service: FakeService;
  readonly host: TestHost;
  readonly login: FakeLogin;
  readonly ask: (question: string, more?: object) => Promise<Shown>;
  readonly chatSync: (input: object) => Promise<{ readonly text: string; readonly code: unknown }>;
}

export interface MusicOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly login?: FakeLogin;
  /** Replaces the real network. */
  readonly network?: (real: Http) => Http;
  /** Default: that of the service. */
  readonly baseUrl?: string;
  /** Uses the unchanged built-in skills, including login-proxy, with the token as a variable. */
  readonly boxed?: true;
}

/** A host of the real skills that asks a real server, which answers from a script. */
export async function withMusic(
  script: readonly ScriptedReply[],
  action: (music: Music) => Promise<unknown>,
  { config = {}, login = new FakeLogin(), network = (real) => real, baseUrl, boxed }: MusicOptions = {},
): Promise<void> {
  const service = await FakeService.start(...script);
  const host = await createTestHost({
    skills: boxed ? builtinSkills() : skillsWith(login),
    variables: { SVC_BASE_URL: baseUrl ?? service.url, ...(boxed && { SVC_HEADER_TOKEN: TOKEN }) },
    config,
    ports: { http: network(nodePorts().http) },
  });
  const run = (command: string, input: object): Promise<unknown> =>
    host.run({ skill: "music-analysis", command, input });
  try {
    await action({
      service,
      host,
      login,
      ask: async (question, more = {}) => (await run("ask", { question, ...more })) as Shown,
      chatSync: async (input) => (await run("chat-sync", input)) as { text: string; code: unknown },
    });
  } finally {
    await host.close();
    await service.close();
  }
}

/** The error that it must end in. */
export async function failureOf(outcome: Promise<unknown>): Promise<SkillError> {
  const caught: unknown = await outcome.then(
    (value) => assert.fail(`It succeeded: ${inspect(value)}`),
    (error: unknown) => error,
  );
  assert.ok(caught instanceof SkillError, inspect(caught));
  return caught;
}

/** The complete text of an error and of the log, including causes with their stacks. */
export function toldOf(error: SkillError, { log }: TestHost): string {
  const { message, hint, stack, file, pointer } = error;
  return [
    message,
    hint,
    stack,
    file,
    pointer,
    ...causesOf(error),
    inspect(error, { depth: 20, showHidden: true }),
  ]
    .concat(log.notices, log.details)
    .join("\n");
}

/** Fails when one of the canaries is in a text. */
export function assertNoCanary(text: string, where: string): void {
  for (const canary of [TOKEN, SECOND_TOKEN, BODY]) assert.ok(!text.includes(canary), `${where}: ${text}`);
}
