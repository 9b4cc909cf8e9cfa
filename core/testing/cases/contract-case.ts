import type { Schemas } from "../../schema/schemas.ts";
import type { HostedSkill } from "../../skill.ts";
import type { TestHost } from "../test-host.ts";

/** One thing that follows from a manifest or a schema of a skill, and is tried. */
export interface SkillCase {
  /** A sentence, the same for the same manifest and schemas. */
  readonly title: string;
  /** Why nothing is tried: reported as a skipped test. */
  readonly skip?: string;
  /** Throws when it is not so; answers why it could not be tried, when that shows only then. */
  readonly run: () => Promise<string | void>;
}

/** What the cases of a skill are made from. */
export interface CaseTools {
  readonly skill: HostedSkill;
  /** The schemas of all the skills, as a host reads and compiles them: once for all cases. */
  readonly schemas: Schemas;
  /** A host with all the skills, on a folder of its own; whoever opens it closes it. */
  readonly open: () => Promise<TestHost>;
}

/** Gathers what is wrong, so that one look shows all of it. */
export class Complaints {
  readonly #sentences: string[] = [];

  add(sentence: string): void {
    this.#sentences.push(sentence);
  }

  /** @throws Error with at most twenty sentences, when there are any. */
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

/** The cases of some parts of a skill; a part of which none can be made has one that fails with the reason. */
export async function casesOf(
  parts: readonly (readonly [part: string, make: () => Promise<readonly SkillCase[]>])[],
): Promise<readonly SkillCase[]> {
  const all = parts.map(async ([part, make]) => {
    try {
      return await make();
    } catch (caught) {
      return [{ title: `${part}: tests can be made of it`, run: () => Promise.reject(caught) }];
    }
  });
  return (await Promise.all(all)).flat();
}
