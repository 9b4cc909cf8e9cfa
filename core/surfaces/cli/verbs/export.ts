import { resolve } from "node:path";
import { SkillError } from "../../../errors/skill-error.ts";
import { word } from "../../hook/install/command.ts";
import { CLIENT_NAMES, exportClient } from "../export/clients.ts";
import { exportOf } from "../export/export-files.ts";
import { RECORD, writeExport } from "../export/export-folder.ts";
import { servedSkills } from "../served.ts";
import { answer, row } from "../text.ts";
import type { Invocation, Verb } from "../verb.ts";
import { readWords, SERVED_FLAGS, SERVED_HELP, single, type Flags } from "../words.ts";
import { hookSettings } from "./hooks.ts";

const FLAGS: Flags = {
  ...SERVED_FLAGS,
  client: { type: "string", values: CLIENT_NAMES },
  out: { type: "string" },
};
const HELP = `Writes the files that a client installs: skills, MCP entry, the guard's hook,
commands, subagents and instructions, as far as the client has them.

Usage: skillctl export --client C --out DIR [--only NAMES] [--without NAMES]

Flags:
  --client C             ${CLIENT_NAMES.slice(0, 3).join(", ")},
                         ${CLIENT_NAMES.slice(3).join(", ")}
  --out DIR              The folder: missing, empty, or holding an earlier
                         export for the same client
${SERVED_HELP}
The files name this program and the state folder on this machine. See
docs/export.md.
`;

/** Writes the files that a client installs. */
export const verb: Verb = { help: HELP, flags: FLAGS, run };

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS, 0);
  const client = exportClient(single(read, "client"));
  const out = single(read, "out");
  if (out === undefined)
    throw new SkillError("USAGE", "export needs a folder.", { hint: "For example: --out ./for-my-agent" });
  const host = await invocation.host();
  const catalog = host.catalog.served(servedSkills(read, invocation, host.catalog));
  const { plugins } = invocation.options;
  const start = await hookSettings(invocation).start();
  const { files, notes } = await exportOf(client, { host, catalog, start, plugins });
  const folder = resolve(invocation.workingFolder, out);
  const removed = await writeExport(folder, client.name, files);
  const next = client.next.replace("{out}", () => word(folder));
  const paths = [...files.map(({ path }) => path), RECORD];
  answer(invocation, { client: client.name, folder, files: paths, removed, notes, next }, () =>
    [
      `Wrote the files for ${client.title} into ${row(folder)}:`,
      ...paths.map((path) => `  ${row(path)}`),
      ...(removed.length > 0 ? ["Removed files of an earlier export:"] : []),
      ...removed.map((path) => `  ${row(path)}`),
      ...notes.map(row),
      `Next: ${row(next)}`,
      "",
    ].join("\n"),
  );
  return 0;
}
