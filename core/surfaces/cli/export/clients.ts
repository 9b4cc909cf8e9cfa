import { SkillError } from "../../../errors/skill-error.ts";
import { nearest } from "../../../nearest.ts";
import clients from "./clients.json" with { type: "json" };
import type { Template } from "./templates.ts";

/** A kind of file in an export. */
export type FileKind = "package" | "mcp" | "hook" | "skill" | "command" | "agent" | "instructions";

/** A client and the files that it installs: a row of clients.json. */
export interface ExportClient {
  /** The value of `--client`, and the agent of the guard's hook. */
  readonly name: string;
  readonly title: string;
  /** The client's name for a tool of the MCP server. */
  readonly tool: string;
  /** The client's own tools by kind, for clients whose subagents list them. */
  readonly uses: Readonly<Record<string, readonly string[]>>;
  readonly files: Readonly<Partial<Record<FileKind, readonly Template[]>>>;
  /** The reason why the client has no file of a kind. */
  readonly without: Readonly<Partial<Record<FileKind, string>>>;
  /** Sentences for the person. */
  readonly notes: readonly string[];
  /** The person's next step; {out} is the folder. */
  readonly next: string;
}

export const CLIENT_NAMES = Object.keys(clients);

/** @throws SkillError `USAGE` */
export function exportClient(name: string | undefined): ExportClient {
  const known = CLIENT_NAMES.join(", ");
  if (name === undefined)
    throw new SkillError("USAGE", "export needs a client.", { hint: `Give --client with one of: ${known}.` });
  const rows: Readonly<Record<string, Omit<ExportClient, "name">>> = clients;
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row) return { name, ...row };
  const guess = nearest(name, CLIENT_NAMES);
  throw new SkillError("USAGE", `There is no client "${name}" to export for.`, {
    hint: guess ? `Did you mean ${guess}?` : `The clients are: ${known}.`,
  });
}
