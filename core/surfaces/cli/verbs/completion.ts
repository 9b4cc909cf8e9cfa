import { surfacesOf } from "../../../catalog.ts";
import type { Host } from "../../../composition.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import type { HostedSkill } from "../../../skill.ts";
import { inputForm, spelled, type Field } from "../form.ts";
import { GLOBAL_FLAGS, SERVED_FLAGS } from "../words.ts";
import { jsonResult, printable } from "../text.ts";
import type { Verb, Invocation } from "../verb.ts";
import { readWords } from "../words.ts";

const HELP = `Prints a script that completes verbs, skills and their commands in a shell, with
the flags and values of each.

Usage: skillctl completion bash|zsh|fish [--plugin PATH]

  bash   eval "$(skillctl completion bash)"     in ~/.bashrc
  zsh    eval "$(skillctl completion zsh)"      in ~/.zshrc, after compinit
  fish   skillctl completion fish | source      in config.fish
`;

/** The verbs whose arguments are names of skills. */
const NAMING = new Set("info run test update remove verify outdated prompt secret".split(" "));
/** The first words of other verbs. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  completion: ["bash", "zsh", "fish"],
  hooks: ["install", "status", "remove", "audit"],
};

/**
 * The words that may follow the typed ones, which are joined by spaces; * matches any words, and an empty list stands for a
 * file name. The first matching row counts.
 */
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
${rows.map(([typed, next]) => `    ${quoted(typed)}) ${next.length > 0 ? `compadd -- ${next.join(" ")}` : "_files"} ;;`).join("\n")}
    *) _files ;;
  esac
}
compdef _skillctl skillctl
`,
  fish: (rows) => `function __skillctl_next
  set -l typed (commandline -opc)
  set -e typed[1]
  switch "$typed"
${rows.map(([typed, next]) => `    case '${typed}'\n      ${next.length > 0 ? `string split ' ' '${next.join(" ")}'` : "return 1"}`).join("\n")}
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

/** The shell evaluates the script, so values of third-party schemas with other characters are left out. */
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
    for (const field of flagged)
      if (!field.isSwitch) rows.push([`${start} *--${field.flag}`, valuesOf(field)]);
    rows.push([start, [...valuesOf(positional[0]), ...flags, "--input"]]);
    rows.push([`${start} *`, [...flags, "--input"]]);
  }
  return rows;
}

function valuesOf(field: Field | undefined): readonly string[] {
  return (field?.choices ?? []).map(spelled).filter((value) => PLAIN_WORD.test(value));
}

type Verbs = Readonly<Record<string, { readonly load: () => Promise<{ readonly verb: Verb }> }>>;

/** Prints the completion script for a shell. */
export function completion(verbs: Verbs): Verb {
  return { help: HELP, run: (words, invocation) => run(words, invocation, verbs) };
}

async function run(words: readonly string[], invocation: Invocation, verbs: Verbs): Promise<number> {
  const [shell = ""] = readWords(words, {}, 1).positionals;
  const write = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (!write) throw new SkillError("USAGE", "Name a shell: bash, zsh or fish.");
  const host = await invocation.host();
  const { catalog } = host;
  const skills = catalog.skills.map(({ manifest }) => manifest.name);
  const rows: Row[] = [
    ["", [...Object.keys(verbs), ...GLOBAL_FLAGS.map((flag) => `--${flag}`)]],
    ["help", Object.keys(verbs)],
    ...catalog.skills.flatMap(({ manifest: { name, commands } }): Row[] =>
      commands ? [[`run ${name}`, Object.keys(commands)]] : [],
    ),
  ];
  for (const [name, { load }] of Object.entries(verbs)) {
    const { flags = {} } = (await load()).verb;
    const own = Object.keys(flags).map((flag) => `--${flag}`);
    for (const [flag, { type, values = [] }] of Object.entries(flags))
      if (type === "string")
        rows.push([`${name} *--${flag}`, Object.hasOwn(SERVED_FLAGS, flag) ? skills : values]);
    const begin = Object.hasOwn(WORDS, name)
      ? (WORDS[name] ?? [])
      : [...(NAMING.has(name) ? skills : []), ...own];
    if (begin.length > 0) rows.push([name, begin]);
    if (own.length > 0) rows.push([`${name} *`, own]);
  }
  for (const skill of catalog.skills) rows.push(...(await commandRows(skill, host)));
  const script = write(rows);
  invocation.terminal.out(invocation.options.json ? jsonResult({ shell, script }) : printable(script));
  return 0;
}
