import { VERBS } from "./verbs.ts";

/** The text of `skillctl --help`: at most 80 columns wide as it is. */
export function programHelp(version: string): string {
  const rows = Object.values(VERBS).map(({ usage, summary }) => `  ${usage.padEnd(30)} ${summary}`);
  return `skillctl ${version}: hosts agent skills and runs their commands.

Usage: skillctl VERB [ARGS...]

Verbs:
${rows.join("\n")}

Flags for every verb:
  --json          One JSON document on standard output
  --plugin PATH   Also host the skill or skills at PATH (repeatable)
  --no-progress   No spinner, no progress lines
  --verbose       Show the code and the causes of an error
  -h, --help      Help for the program, a verb, a skill or a command
  --version       The version of skillctl

Foreign skills are also found through SKILLCTL_PLUGINS and skillctl.json.

Examples:
  skillctl list
  skillctl run music-analysis "How did my songs do this week?"
  skillctl run music-analysis ask --help
`;
}
