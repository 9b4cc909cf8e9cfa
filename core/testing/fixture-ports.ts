import { ACCESS_TOKENS, type AccessTokens } from "../ports/access-tokens.ts";
import type { Call, Wiring } from "../plugin.ts";
import { commandClass, fixtureCommand, fixtureSkill, type FixtureParts } from "./fixture-skills.ts";

/** The code of a skill whose command `greet` says hello. */
export const greets = { commands: { greet: commandClass(async () => ({ text: "Hello." })) } };

/** A skill with the one command `greet`. */
export function greeter(name: string, parts: FixtureParts = {}) {
  return fixtureSkill(name, { commands: { greet: fixtureCommand(name) }, code: greets, ...parts });
}

/** A skill that lends access tokens; the journal is told when the service is made and closed. */
export function lender(name: string, journal: string[] = [], parts: FixtureParts = {}) {
  class Tokens implements AccessTokens {
    constructor() {
      journal.push(`${name} made`);
    }
    readonly current = async () => ({ value: name, source: "cache" }) as const;
    readonly renew = async () => ({ value: `${name} again`, source: "cache" }) as const;
    readonly held = async () => [name];
    readonly close = (): void => void journal.push(`${name} closed`);
  }
  const code = { wire: ({ single }: Wiring) => single(ACCESS_TOKENS, Tokens) };
  return fixtureSkill(name, { provides: ["access-tokens"], code, ...parts });
}

/** A skill whose command answers the token that it borrowed. */
export function borrower(name: string, need: "required" | "optional") {
  class Greet {
    static readonly inject = [ACCESS_TOKENS];
    constructor(readonly tokens: AccessTokens | undefined) {}
    readonly run = async (_: unknown, call: Call) => ({
      token: await this.tokens?.current("https://music.example", { ...call, interactive: false }),
    });
  }
  return greeter(name, { requires: { "access-tokens": need }, code: { commands: { greet: Greet } } });
}

/** Asks a skill for its command `greet`. */
export const greetingBy = (skill: string) => ({ skill, command: "greet", input: {} });
