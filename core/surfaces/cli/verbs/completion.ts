import { surfacesOf } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { CLIENT_NAMES } from "../export/clients.ts";
import type { HostedSkill } from "../../../skill.ts";
import { inputForm, spelled, type Field } from "../form.ts";
import { GLOBAL_FLAGS, SERVED_FLAGS } from "../words.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords } from "../words.ts";

const HELP = `Prints a script that completes verbs, skills, their commands, and the flags and
values of these in a shell.

Usage: skillctl completion bash|zsh|fish [--plugin PATH]

  bash   eval "$(skillctl completion bash)"     in ~/.bashrc
  zsh    eval "$(skillctl completion zsh)"      in ~/.zshrc, after compinit
  fish   skillctl completion fish | source      in config.fish
`;

const SERVED = Object.keys(SERVED_FLAGS).map((flag) => `--${flag}`);

/** The words that may follow the typed ones, which are joined by spaces; * stands for any words. The first row that fits counts. */
type Row = readonly [typed: string, next: readonly string[]];

const SCRIPTS: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  bash: (rows) => `_skillctl() {
  local typed="\${COMP_WORDS[*]:1:COMP_CWORD-1}" next=""
  case "$typed" in
${rows.map(([typed, next]) => `    ${quoted(typed)}) next="${next.join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _skillctl skillctl
`,
  zsh: (rows) => `#compdef skillctl
_skillctl() {
  local typed="\${(j: :)words[2,CURRENT-1]}"
  case "$typed" in
${rows.map(([typed, next]) => `    ${quoted(typed)}) compadd -- ${next.join(" ")} ;;`).join("\n")}
    *) _files ;;
  esac
}
compdef _skillctl skillctl
`,
  fish: (rows) => `function __skillctl_next
  set -l typed (commandline -opc)
  set -e typed[1]
  switch "$typed"
${rows.map(([typed, next]) => `    case '${typed}'\n      string split ' ' '${next.join(" ")}'`).join("\n")}
    case '*'
      return 1
  end
end
complete -c skillctl -f -n '__skillctl_next >/dev/null' -a '(__skillctl_next)'
`,
};

/** A pattern of bash and zsh. */
function quoted(typed: string): string {
  return typed
    .split("*")
    .map((part) => `"${part}"`)
    .join("*");
}

/** The shell evaluates the script, so that values of foreign schemas with other characters are left out. */
const PLAIN_WORD = /^[\w.:@+-]+$/;

/** The flags of the commands of a skill, and the values of flags and first words that their schemas enumerate. */
async function commandRows({ manifest }: HostedSkill, { schemas }: Host): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [name, command] of Object.entries(manifest.commands ?? {})) {
    if (!surfacesOf(command).includes("cli")) continue;
    const { fields, positional } = inputForm(await schemas.document(command.input), command.positional);
    const start = `run ${manifest.name} ${name}`;
    const flagged = fields.filter(({ flag }) => flag !== undefined);
    const flags = flagged.flatMap(({ flag, negatable }) => [
      `--${flag}`,
      ...(negatable ? [`--no-${flag}`] : []),
    ]);
    for (const field of flagged) rows.push([`${start} *--${field.flag}`, valuesOf(field)]);
    rows.push([start, [...valuesOf(positional[0]), ...flags, "--input"]]);
    rows.push([`${start} *`, [...flags, "--input"]]);
  }
  return rows;
}

function valuesOf(field: Field | undefined): readonly string[] {
  return (field?.choices ?? []).map(spelled).filter((value) => PLAIN_WORD.test(value));
}

/** Prints the completion script for a shell. */
export function completion(verbs: readonly string[]): Verb {
  return { help: HELP, run: (words, invocation) => run(words, invocation, verbs) };
}

async function run(
  words: readonly string[],
  invocation: Invocation,
  verbs: readonly string[],
): Promise<number> {
  const [shell = ""] = readWords(words, {}, 1).positionals;
  const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!write) throw new SkillError("USAGE", "Name a shell: bash, zsh or fish.");
  const host = await invocation.host();
  const { catalog } = host;
  const skills = catalog.skills.map(({ manifest }) => manifest.name);
  const rows: Row[] = [
    ["", [...verbs, ...GLOBAL_FLAGS.map((flag) => `--${flag}`)]],
    ["help", verbs],
    ["completion", Object.keys(SCRIPTS)],
    ["hooks", ["install", "status", "remove", "audit"]],
    ...["info", "run"].map((one): Row => [one, skills]),
    ["test", [...skills, "--against"]],
    ...skills.map((name): Row => [`test ${name}`, ["--against"]]),
    ["add", ["--user", "--yes", "--frozen"]],
    ...["update", "remove"].map((one): Row => [one, [...skills, "--user", "--yes"]]),
    ...["verify", "outdated"].map((one): Row => [one, [...skills, "--user"]]),
    ["prompt", [...skills, ...SERVED]],
    ["export", ["--client", "--out", ...SERVED]],
    ["export --client", CLIENT_NAMES],
    ...["list", "mcp", "serve"].map((one): Row => [one, SERVED]),
    ...["export", "list", "mcp", "prompt", "serve"].flatMap((one) =>
      SERVED.map((flag): Row => [`${one} ${flag}`, skills]),
    ),
    ...catalog.skills.map(({ manifest }): Row => [
      `run ${manifest.name}`,
      Object.keys(manifest.commands ?? {}),
    ]),
  ];
  for (const skill of catalog.skills) rows.push(...(await commandRows(skill, host)));
  const script = write(rows.filter(([, next]) => next.length > 0));
  invocation.terminal.out(invocation.options.json ? jsonResult({ shell, script }) : printable(script));
  return 0;
}
