import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type Prompt,
} from "@modelcontextprotocol/server";
import { textInTermsOf } from "../../called-commands.ts";
import type { Catalog } from "../../catalog.ts";
import type { Host } from "../../composition.ts";
import { nearest } from "../../nearest.ts";
import { promptsOf } from "../../skill-prompts.ts";
import { termsOf } from "./tool-call.ts";

/** The prompts of the served skills, named SKILL_PROMPT. */
export function listPrompts({ skills }: Catalog): Prompt[] {
  return skills.flatMap(({ manifest: { name, summary, prompts = {} } }) =>
    Object.keys(prompts).map((key) => ({
      name: `${name}_${key}`,
      title: `${name} ${key}`,
      description: summary,
    })),
  );
}

/**
 * Reads a prompt; command lines in it are given as tools.
 * @throws ProtocolError -32602 for an unknown prompt, and for one whose file is missing
 */
export async function getPrompt(
  host: Host,
  catalog: Catalog,
  { params: { name: wanted } }: GetPromptRequest,
): Promise<GetPromptResult> {
  for (const skill of catalog.skills) {
    const own = skill.manifest.name;
    for (const { name, text } of await promptsOf(skill, host.ports.files)) {
      if (text === undefined || `${own}_${name}` !== wanted) continue;
      const told = await textInTermsOf(termsOf(host, catalog), own, text);
      return { messages: [{ role: "user", content: { type: "text", text: told } }] };
    }
  }
  const names = listPrompts(catalog).map(({ name }) => name);
  const guess = nearest(wanted, names);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt "${wanted.slice(0, 128)}".${guess ? ` Did you mean ${guess}?` : ""}`,
  );
}
