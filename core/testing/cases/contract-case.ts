import { described, describedIn, placeIn, SkillError } from "../../errors/skill-error.ts";
import type { Http } from "../../ports/http.ts";
import type { Schemas } from "../../schema/schemas.ts";
import type { HostedSkill } from "../../skill.ts";
import type { Coverage } from "../coverage.ts";
import type { TestHost } from "../test-host.ts";

/** One test derived from a manifest or a schema of a skill. */
export interface ContractCase {
  /** The name of the skill. */
  readonly skill: string;
  /** A sentence; deterministic for the same manifest and schemas. */
  readonly title: string;
  /** The reason why the test is skipped. */
  readonly skip?: string;
  /**
   * Runs the test: throws if it fails, returns a reason if it could not be run. `warn` receives advice for the author.
   */
  readonly run: (warn?: (sentence: string) => void) => Promise<string | void>;
}

export type SkillCase = Omit<ContractCase, "skill">;

/** The sources of the cases of a skill. @internal */
export interface CaseTools {
  readonly skill: HostedSkill;
  /** The schemas of all skills, read and compiled once for all cases. */
  readonly schemas: Schemas;
  readonly coverage: Coverage;
  /** The seed of random combinations of derived values. */
  readonly seed: number;
  /** Opens a host with all skills in its own folder. The caller closes it. */
  readonly open: () => Promise<TestHost>;
}

/** A running server and the headers that it needs. */
export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A running server under test. */
export interface TestedServer extends RunningServer {
  readonly http: Http;
  /**
   * Also calls commands and routes that may change data. Default: commands with `"readOnly": true` and GET routes only.
   */
  readonly allowsWrites: boolean;
}

/** Collects failures, so that one error reports all of them. */
export class Complaints {
  readonly #sentences: string[] = [];

  add(sentence: string): void {
    this.#sentences.push(sentence);
  }

  /** @throws Error with at most twenty sentences, if there are any. */
  raise(): void {
    const [first, ...more] = this.#sentences;
    if (first === undefined) return;
    const shown = [first, ...more.slice(0, 19)].join("\n");
    throw new Error(more.length < 20 ? shown : `${shown}\nand ${more.length - 19} more`);
  }
}

/** A value as a short text for a sentence. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length <= 160 ? text : `${text.slice(0, 120)}... (${text.length} characters)`;
}

/** A sentence with the file and line at which the code of the skill has thrown. */
export function toldIn(folder: string, message: string, cause: unknown): string {
  const isTold =
    cause === undefined ||
    cause instanceof SkillError ||
    (cause instanceof Error && message.includes(described(cause)));
  if (isTold) return message;
  const place = placeIn(folder, cause);
  const hasPlace = place !== undefined && message.includes(place);
  return `${message.replace(/\.$/, "")}: ${hasPlace ? described(cause) : describedIn(folder, cause)}`;
}

/** A further sentence about a fault of settings, which tests do not take from the skillctl.json of a folder. */
export function settingsAdvice(code: string | undefined): string {
  return code === "CONFIG_INVALID"
    ? " Tests read no skillctl.json: give the setting a default in its schema, or a value as config of contractTests in a test file of the skill."
    : "";
}

/** The cases for some parts of a skill. A part whose cases cannot be derived has one that fails with the reason. */
export async function casesOf(
  parts: readonly (readonly [part: string, make: () => Promise<readonly SkillCase[]>])[],
): Promise<readonly SkillCase[]> {
  const all = parts.map(async ([part, make]) => {
    try {
      return await make();
    } catch (caught) {
      const reason = "Its schema cannot be used; skillctl validate names the place.";
      const told = caught instanceof SkillError ? caught : new Error(reason, { cause: caught });
      return [{ title: `${part}: tests can be derived from it`, run: () => Promise.reject(told) }];
    }
  });
  return (await Promise.all(all)).flat();
}
