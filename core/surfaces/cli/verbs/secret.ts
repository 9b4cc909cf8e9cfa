import { SkillError, described } from "../../../errors/skill-error.ts";
import { secretAccount, secretReader, settingsKeyRing, storeIn } from "../../../key-ring.ts";
import { nearest } from "../../../nearest.ts";
import { quotedName } from "../../../quoted-name.ts";
import { SHORTEST_SECRET, secretNames, secretVariable } from "../../../secrets.ts";
import { CommandPerson } from "../person.ts";
import { answer, table } from "../text.ts";
import type { Invocation, Verb } from "../verb.ts";
import { readWords, type Flags } from "../words.ts";

const FLAGS: Flags = { remove: { type: "boolean" } };
const HELP = `Stores a secret setting of a skill in your key ring, or removes it. Without
SETTING it lists the secret settings and where each comes from.

Usage: skillctl secret SKILL [SETTING] [--remove] [--json]

  SKILL     name of a hosted skill
  SETTING   a property with "secret": true in the schema of its settings
  --remove  Remove it from the key ring

The value is asked for and not shown; without a terminal it is read from
standard input. The environment variable of a secret overrides the key ring.
`;

export const verb: Verb = { help: HELP, flags: FLAGS, run };

interface SecretState {
  readonly setting: string;
  readonly variable: string;
  readonly source: "variable" | "key ring" | "none";
}

async function run(words: readonly string[], invocation: Invocation): Promise<number> {
  const read = readWords(words, FLAGS, 2);
  const [skill, setting] = read.positionals;
  if (skill === undefined)
    throw new SkillError("USAGE", "No skill is named.", { hint: "For example: skillctl secret weather" });
  const { catalog, schemas } = await invocation.host();
  const { config } = catalog.skill(skill).manifest;
  const names = config === undefined ? [] : secretNames(await schemas.document(config));
  const keyRing = invocation.keyRing ?? settingsKeyRing();
  if (setting === undefined) {
    const secrets = await Promise.all(names.map((name) => stateOf(skill, name, invocation)));
    answer(invocation, { skill, secrets }, () => listed(skill, secrets, invocation.terminal.columns));
    return 0;
  }
  if (!names.includes(setting)) throw unknown(skill, setting, names);
  const account = secretAccount(skill, setting);
  const isRemoved = read.flags.get("remove")?.at(-1) === "true";
  const value = isRemoved ? "" : await asked(skill, setting, invocation);
  try {
    if (isRemoved) await keyRing(account, (entry, signal) => entry.deletePassword(signal));
    else await storeIn(keyRing, account, value);
  } catch (cause) {
    const told = described(cause);
    const reason = (value === "" ? told : told.replaceAll(value, "[secret]")).replace(/\.$/, "");
    throw new SkillError(
      "STORAGE_FAILED",
      `The key ring cannot be used for ${setting} of ${skill}: ${reason}.`,
      {
        cause,
        hint: `Set the environment variable ${secretVariable(skill, setting)} instead.`,
      },
    );
  }
  const done = isRemoved ? "removed from" : "stored in";
  answer(
    invocation,
    { skill, setting, stored: !isRemoved },
    () => `${setting} of ${skill} is ${done} the key ring.\n`,
  );
  return 0;
}

/** @throws SkillError `USAGE` for a value that could not be masked in texts */
async function asked(skill: string, setting: string, { terminal }: Invocation): Promise<string> {
  const typed = await new CommandPerson(terminal, false).secret(`${setting} of ${skill}:`);
  const value = typed.trim();
  if (value.length >= SHORTEST_SECRET) return value;
  throw new SkillError(
    "USAGE",
    `A secret needs at least ${SHORTEST_SECRET} characters, without surrounding spaces.`,
  );
}

async function stateOf(
  skill: string,
  setting: string,
  { variables, keyRing }: Invocation,
): Promise<SecretState> {
  const variable = secretVariable(skill, setting);
  if (variables[variable]) return { setting, variable, source: "variable" };
  const stored = await secretReader(keyRing)(skill, setting).catch(() => undefined);
  return { setting, variable, source: stored === undefined ? "none" : "key ring" };
}

function listed(skill: string, secrets: readonly SecretState[], columns: number): string {
  if (secrets.length === 0) return `${skill} has no secret settings.\n`;
  return table(
    secrets.map(({ setting, variable, source }) => [
      setting,
      source === "none"
        ? `not set: ${variable}, or skillctl secret ${skill} ${setting}`
        : `from the ${source === "variable" ? `variable ${variable}` : source}`,
    ]),
    columns,
  );
}

function unknown(skill: string, setting: string, names: readonly string[]): SkillError {
  const guess = nearest(setting, names);
  const hint = guess
    ? `Did you mean ${guess}?`
    : names.length > 0
      ? `It has: ${names.join(", ")}.`
      : "The schema of its settings has no secret.";
  return new SkillError("USAGE", `${skill} has no secret setting ${quotedName(setting)}.`, { hint });
}
