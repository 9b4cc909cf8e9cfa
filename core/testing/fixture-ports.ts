import { optional, port, type OptionalPort } from "../container/token.ts";
import type { Wiring } from "../plugin.ts";
import { commandClass, fixtureCommand, fixtureSkill, type FixtureManifest } from "./fixture-skills.ts";

/** The code of a skill whose command `greet` says hello. */
export const greets = { commands: { greet: commandClass(async () => ({ text: "Hello." })) } };

/** A skill with the one command `greet`. */
export function greeter(name: string, parts: FixtureManifest = {}) {
  return fixtureSkill(name, { commands: { greet: fixtureCommand(name) }, code: greets, ...parts });
}

/** A port that no built-in skill uses. */
export const SALUTES = port<SaluteService>("salutes");
export interface SaluteService {
  readonly salute: () => string;
}

/** A skill that provides the port; the journal records when the service is created and closed. */
export function lender(name: string, journal: string[] = [], parts: FixtureManifest = {}) {
  class OwnSalutes implements SaluteService {
    constructor() {
      journal.push(`${name} made`);
    }
    readonly salute = () => name;
    readonly close = (): void => void journal.push(`${name} closed`);
  }
  const code = { wire: ({ single }: Wiring) => single(SALUTES, OwnSalutes) };
  return fixtureSkill(name, { provides: ["salutes"], code, ...parts });
}

/** A skill whose command returns the salute of the port. */
export function borrower(name: string, need: "required" | "optional") {
  class Greet {
    static readonly inject = [need === "optional" ? optional(SALUTES) : SALUTES];
    constructor(readonly salutes: SaluteService | OptionalPort<SaluteService> | undefined) {}
    readonly run = async () => {
      const salutes = typeof this.salutes === "function" ? await this.salutes() : this.salutes;
      return { salute: salutes?.salute() };
    };
  }
  return greeter(name, { requires: { salutes: need }, code: { commands: { greet: Greet } } });
}

/** A request for the command `greet` of a skill. */
export const greetingBy = (skill: string) => ({ skill, command: "greet", input: {} });
