import {
  ProtocolError,
  ProtocolErrorCode,
  type GetPromptRequest,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { textInTermsOf } from "../../called-commands.ts";
import { nearest } from "../../nearest.ts";
import { promptsOf } from "../../skill-prompts.ts";
import { contentOffered, propertiesOf } from "./offers.ts";
import type { Connection } from "./tool-call.ts";

/** The prompts of the served skills, named SKILL_PROMPT, the documents by name, and the commands that are offered as prompts. */
export async function listPrompts(connection: Pick<Connection, "catalog" | "tools">): Promise<Prompt[]> {
  const { catalog, tools } = connection;
  const texts = catalog.skills.flatMap(({ document, manifest: { name, summary, prompts = {} } }) => [
    ...(document ? [{ name, title: name, description: summary }] : []),
    ...Object.keys(prompts).map((key) => ({
      name: `${name}_${key}`,
      title: `${name} ${key}`,
      description: summary,
    })),
  ]);
  const commands = tools.offered("prompt").map(async ([name, entry]) => {
    const { properties, required } = propertiesOf(await tools.input(entry));
    const given = Object.entries(properties).map(([key, { description }]) => ({
      name: key,
      ...(typeof description === "string" && { description }),
      required: required.includes(key),
    }));
    const title = `${entry.skill} ${entry.name}`;
    return { name, title, description: entry.command.summary, arguments: given };
  });
  return [...texts, ...(await Promise.all(commands))];
}

/**
 * Reads a prompt; command lines in it are given as tools.
 * @throws ProtocolError -32602 for an unknown prompt, and for one whose file is missing
 */
export async function getPrompt(
  connection: Connection,
  server: Server,
  { params: { name: wanted, arguments: input = {} } }: GetPromptRequest,
  context: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const { host, catalog, tools } = connection;
  const [, offered] = tools.offered("prompt").find(([name]) => name === wanted) ?? [];
  if (offered) {
    const result = await contentOffered(connection, server, { entry: offered, input, name: wanted }, context);
    if (!Array.isArray(result)) return result;
    return { messages: result.map((content) => ({ role: "user", content })) };
  }
  for (const skill of catalog.skills) {
    const own = skill.manifest.name;
    if (skill.document && own === wanted)
      return { messages: [{ role: "user", content: { type: "text", text: skill.document.body } }] };
    for (const { name, text } of await promptsOf(skill, host.ports.files)) {
      if (text === undefined || `${own}_${name}` !== wanted) continue;
      const told = await textInTermsOf(connection.terms, own, text);
      return { messages: [{ role: "user", content: { type: "text", text: told } }] };
    }
  }
  const names = (await listPrompts(connection)).map(({ name }) => name);
  const guess = nearest(wanted, names);
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `There is no prompt "${wanted.slice(0, 128)}".${guess ? ` Did you mean ${guess}?` : ""}`,
  );
}
