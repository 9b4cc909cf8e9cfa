import { servedSkills } from "../served.ts";
import { printable } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords, SERVED_FLAGS, SERVED_HELP, TOOLS_FLAG, TOOLS_HELP, wantsCompactTools } from "../words.ts";

const FLAGS = { ...SERVED_FLAGS, tools: TOOLS_FLAG };
const HELP = `Serves the skills as tools of the Model Context Protocol, over standard input
and output, until the input ends. An MCP client starts it and needs no more than
  {"command": "skillctl", "args": ["mcp"]}

Usage: skillctl mcp [--only NAMES] [--without NAMES] [--tools compact]
       [--plugin PATH] [--verbose]

Flags:
${SERVED_HELP}${TOOLS_HELP}
Messages for people go to standard error. See docs/mcp.md.
`;

export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS, 0);
  const isCompact = wantsCompactTools(read);
  const { terminal } = invocation;
  const { ownOutput } = await import("../../mcp/own-output.ts");
  const { write } = ownOutput();
  const host = await invocation.host();
  const { serveMcp } = await import("../../mcp/mcp-doors.ts");
  const skills = servedSkills(read, invocation, host.catalog);
  for (const { skill, sentence } of host.catalog.faults)
    terminal.err(printable(`${skill} is left out: ${sentence}\n`));
  const { stdin } = process;
  if (stdin.isTTY) terminal.err("Waiting for messages of an MCP client. Ctrl-D ends.\n");
  await serveMcp(host, { input: stdin, write }, terminal.signal, { skills, isCompact });
  return 0;
}
