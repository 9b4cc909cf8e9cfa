import { processEnvironment } from "../../../adapters/environment.ts";
import { userFolder } from "../../../adapters/configuration-files.ts";
import type { LockedSkill } from "../../../contract.ts";
import { SkillError } from "../../../errors/skill-error.ts";
import { nearest } from "../../../nearest.ts";
import { quotedName } from "../../../quoted-name.ts";
import { equal } from "../../../schema/json.ts";
import { CommandPerson } from "../person.ts";
import { answer, printable, table } from "../text.ts";
import type { Invocation, Verb } from "../verb.ts";
import { readWords, type Flags, type ReadWords } from "../words.ts";
import { changeOf, changeText, refusalOf, type Change } from "./contributions.ts";
import { Installation } from "./installation.ts";
import { fetchSkill, lockedSource, versionsOf, type FetchContext, type FetchedSkill } from "./source.ts";

const USER = { user: { type: "boolean" } } as const satisfies Flags;
const ASKING = { ...USER, yes: { type: "boolean" } } as const satisfies Flags;
const PLACE_HELP = `  --user    Your own skills, hosted in every folder, instead of the project's
`;
const YES_HELP = `  --yes     Accept the shown changes without asking. Needed without a terminal
`;

/** The parts of one run. */
interface Session {
  readonly read: ReadWords;
  readonly invocation: Invocation;
  readonly installation: Installation;
  readonly context: FetchContext;
}

const RESTORE =
  "Restore skillctl-lock.json from version control, or take the path out of skillctl.json and add the skill again.";

/** @throws SkillError `INSTALL_REFUSED` where skillctl.json names installed skills that the lock does not */
async function refuseUnlocked({ installation, read }: Session): Promise<void> {
  const [path] = read.positionals.length > 0 ? [] : await installation.unlocked();
  if (path !== undefined)
    throw new SkillError(
      "INSTALL_REFUSED",
      `The lock does not name ${quotedName(path)}, which skillctl.json names.`,
      {
        hint: RESTORE,
      },
    );
}

/** Looks at the source of an installed skill. The error about a missing source names the skill. */
async function ofSource<T>(name: string, locked: LockedSkill, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (caught) {
    if (!(caught instanceof SkillError) || caught.code !== "FILE_UNREADABLE") throw caught;
    const message = `${name} cannot be fetched from its source ${quotedName(locked.source)}: ${caught.message}`;
    const hint = "If it has moved, add the skill from its new place.";
    throw new SkillError(caught.code, message, { cause: caught, hint });
  }
}

function isOn({ flags }: ReadWords, name: string): boolean {
  return flags.get(name)?.at(-1) === "true";
}

/** A verb that holds the installation of a folder while it runs. */
function verbOf(help: string, flags: Flags, most: number, act: (session: Session) => Promise<number>): Verb {
  return {
    help,
    flags,
    run: async (words, invocation) => {
      const read = readWords(words, flags, most);
      const { variables, workingFolder, terminal } = invocation;
      const environment = processEnvironment(variables, workingFolder);
      const { stateFolder } = environment;
      const base = isOn(read, "user") ? userFolder(stateFolder) : workingFolder;
      const installation = await Installation.open(base, stateFolder);
      const context = { base, environment, signal: terminal.signal };
      try {
        return await act({ read, invocation, installation, context });
      } finally {
        await installation.close();
      }
    },
  };
}

export const verb: Verb = verbOf(
  `Installs a third-party skill. First it shows the contributions, settings
and secrets of the skill and the permissions that it declares.

Usage: skillctl add SOURCE [--user] [--yes]
       skillctl add --frozen [--user] [--yes]

  SOURCE    A folder, a tarball or its https address, npm:NAME@RANGE,
            git+URL#TAG or git+URL#semver:RANGE (https, ssh, file),
            https://HOST#NAME for a skill that a host publishes

${PLACE_HELP}${YES_HELP}  --frozen  Install exactly what skillctl-lock.json names, for CI

If you agree, the skill's files are trusted, as with \`skillctl trust\`, unless
something else in skillctl.json is untrusted. Package scripts are never run,
and dependencies are not installed.

skillctl-lock.json keeps the source, the version and the SHA-256 of each file.
`,
  { ...ASKING, frozen: { type: "boolean" } },
  1,
  async (session) => {
    const { read, context, invocation } = session;
    const [word] = read.positionals;
    if (isOn(read, "frozen")) return frozen(session, word);
    if (word === undefined)
      throw new SkillError("USAGE", "add needs a source.", { hint: "For example: skillctl add ./greeting" });
    const source = lockedSource(word, context.base, invocation.workingFolder);
    return install([await fetchSkill(source, context)], session);
  },
);

export const update: Verb = verbOf(
  `Fetches installed skills again from their sources and shows what would change:
contributions, permissions, files. Refuses older versions, and the installed
version if its content has changed.

Usage: skillctl update [NAME...] [--user] [--yes]    Default: all

${PLACE_HELP}${YES_HELP}`,
  ASKING,
  Infinity,
  async (session) => {
    const fetched: FetchedSkill[] = [];
    await refuseUnlocked(session);
    for (const [name, locked] of chosen(session)) {
      const { source } = locked;
      const one = await ofSource(name, locked, () => fetchSkill(source, session.context));
      const { name: now } = one.content.manifest;
      if (now !== name)
        throw new SkillError(
          "INSTALL_REFUSED",
          `${name} is not updated: its source now has the skill ${now}.`,
          {
            hint: `If you want that one: skillctl remove ${name}, then skillctl add ${quotedName(source)}`,
          },
        );
      fetched.push(one);
    }
    return install(fetched, session);
  },
);

export const remove: Verb = verbOf(
  `Removes installed skills: their files, and their entries in skillctl.json and
the lock.

Usage: skillctl remove NAME... [--user] [--yes]

${PLACE_HELP}${YES_HELP}`,
  ASKING,
  Infinity,
  async (session) => {
    const { installation, invocation, read } = session;
    if (read.positionals.length === 0)
      throw new SkillError("USAGE", "remove needs the name of a skill.", {
        hint: "`skillctl verify` names the installed ones.",
      });
    const names = chosen(session).map(([name]) => name);
    await agreed(session, names.map((name) => `remove ${name}\n`).join(""), "Remove it, with its rules?");
    const rest = Object.entries(installation.skills).filter(([name]) => !names.includes(name));
    await installation.commit(Object.fromEntries(rest), []);
    answer(invocation, { removed: names }, () => names.map((name) => `${name} is removed.\n`).join(""));
    return 0;
  },
);

export const verify: Verb = verbOf(
  `Compares the installed skills with skillctl-lock.json, and the lock with
skillctl.json. Names every changed, missing and extra file.

Usage: skillctl verify [NAME...] [--user]    Default: all

${PLACE_HELP}
Exit status: 0; 1 when something differs.
`,
  USER,
  Infinity,
  async (session) => {
    const { installation, invocation, read } = session;
    const skills = [];
    for (const [name, locked] of chosen(session))
      skills.push({ name, version: locked.version, files: await installation.faultsOf(name, locked) });
    const naming = read.positionals.length > 0 ? [] : await installation.namingFaults();
    const sound = naming.length === 0 && skills.every(({ files }) => files.length === 0);
    const lines = skills.flatMap(({ name, version, files }) => [
      `${name} ${version} ${files.length === 0 ? "is as it was installed" : "differs from the lock:"}\n`,
      ...files.map(({ file, fault }) => `  ${fault}: ${quotedName(file)}\n`),
    ]);
    const rest = naming.map((sentence) => `${sentence}\n`);
    if ((await installation.unlocked()).length > 0) rest.push(`${RESTORE}\n`);
    if (lines.length > skills.length)
      rest.push(
        `\`skillctl add --frozen${isOn(read, "user") ? " --user" : ""}\` restores the locked files.\n`,
      );
    answer(
      invocation,
      { skills, naming },
      () => [...lines, ...rest].join("") || "No skill is installed here.\n",
      sound,
    );
    return sound ? 0 : 1;
  },
);

export const outdated: Verb = verbOf(
  `Lists installed skills whose sources have another version. WANTED is the version
that \`skillctl update\` installs, LATEST the newest.

Usage: skillctl outdated [NAME...] [--user]

${PLACE_HELP}`,
  USER,
  Infinity,
  async (session) => {
    const { invocation, context } = session;
    const skills = [];
    await refuseUnlocked(session);
    for (const [name, locked] of chosen(session)) {
      const versions = await ofSource(name, locked, () => versionsOf(locked, context));
      if (new Set(Object.values(versions)).size > 1) skills.push({ name, ...versions });
    }
    const rows = skills.map(({ name, current, wanted, latest }): [string, string] => [
      name,
      `${shownVersion(current)}, wanted ${shownVersion(wanted)}, latest ${shownVersion(latest)}`,
    ]);
    answer(
      invocation,
      { skills },
      () => table(rows, invocation.terminal.columns) || "Every skill is up to date.\n",
    );
    return 0;
  },
);

/** The remark after a version is not part of its name. */
function shownVersion(version: string): string {
  const [, name = "", remark = ""] = /^(.*?)( \((?:changed|moved)\))?$/s.exec(version) ?? [];
  return quotedName(name) + remark;
}

/** The named installed skills; all if none is named. @throws SkillError `UNKNOWN_SKILL` */
function chosen({
  read: { positionals },
  installation: { skills },
}: Session): readonly (readonly [string, LockedSkill])[] {
  const unknown = positionals.find((name) => !Object.hasOwn(skills, name));
  if (unknown === undefined)
    return Object.entries(skills).filter(([name]) => positionals.length === 0 || positionals.includes(name));
  const guess = nearest(unknown, Object.keys(skills));
  throw new SkillError("UNKNOWN_SKILL", `No skill ${quotedName(unknown)} is installed here.`, {
    hint:
      guess === undefined
        ? "`skillctl verify` names those of the project, `skillctl verify --user` your own."
        : `Did you mean ${guess}?`,
  });
}

/** Shows what fetched skills would change, asks, and installs them. */
async function install(fetched: readonly FetchedSkill[], session: Session): Promise<number> {
  const { installation } = session;
  const accepted: FetchedSkill[] = [];
  const changes: Change[] = [];
  for (const one of fetched) {
    const { manifest } = one.content;
    const { name } = manifest;
    const locked = Object.hasOwn(installation.skills, name) ? installation.skills[name] : undefined;
    const refusal = locked && refusalOf(one.locked, locked);
    if (refusal !== undefined)
      throw new SkillError("INSTALL_REFUSED", `${name} is not replaced: ${refusal}.`, {
        hint: `If you want this content, remove the skill first: skillctl remove ${name}`,
      });
    const old = locked && { locked, skill: await installation.contributor(name, locked) };
    if (old?.skill && equal(old.locked, one.locked)) continue;
    const notes = [
      ...one.notes,
      ...(locked ? sourceNotes(locked, one.locked) : await nameNotes(name, session)),
    ];
    accepted.push(one);
    changes.push(changeOf(one.content, one.locked, notes, old));
  }
  if (accepted.length > 0) return commit(accepted, changes, session);
  answer(session.invocation, { installed: [], trusted: true }, () => "Every skill is up to date.\n");
  return 0;
}

/** A warning about a skill whose source differs from that of the skill that it replaces. */
function sourceNotes(before: LockedSkill, { source }: LockedSkill): readonly string[] {
  return before.source === source
    ? []
    : [`It replaces the skill from ${quotedName(before.source)}, which is another source.`];
}

/**
 * A warning about a new name that resembles a hosted one.
 * @throws SkillError `SKILL_CONFLICT` for a taken name, `INSTALL_REFUSED` for a similar one with --yes
 */
async function nameNotes(name: string, { invocation, read }: Session): Promise<readonly string[]> {
  const { catalog } = await invocation.host();
  const hosted = [
    ...catalog.skills.map(({ manifest }) => manifest.name),
    ...catalog.faults.map(({ skill }) => skill),
  ];
  const isBuiltIn = catalog.skills.some(({ manifest, builtin }) => builtin && manifest.name === name);
  if (hosted.includes(name))
    throw new SkillError("SKILL_CONFLICT", `There is already a skill ${name}.`, {
      hint: isBuiltIn
        ? `It comes with skillctl: \`skillctl info ${name}\` shows it.`
        : `\`skillctl info ${name}\` shows its folder. Remove that folder from plugins in skillctl.json first.`,
    });
  const near = nearest(name, hosted);
  if (near === undefined) return [];
  if (!isOn(read, "yes")) return [`Its name resembles ${near}, another skill.`];
  throw new SkillError(
    "INSTALL_REFUSED",
    `${name} is not installed: its name resembles ${near}, another skill.`,
    {
      hint: "If you want this skill, add it at a terminal without --yes.",
    },
  );
}

/** Fetches exactly the skills of the lock. @throws SkillError `INSTALL_REFUSED` for any difference */
async function frozen(session: Session, word: string | undefined): Promise<number> {
  const { installation } = session;
  if (word !== undefined) throw new SkillError("USAGE", "--frozen uses only the sources in the lock.");
  const refused = (reason: string, other = "Without --frozen: skillctl update"): SkillError =>
    new SkillError("INSTALL_REFUSED", `The lock is not installed: ${reason}.`, {
      hint: `Nothing was changed. ${other}`,
    });
  await refuseUnlocked(session);
  if (Object.keys(installation.skills).length === 0)
    throw refused(
      "it does not exist or lists no skill",
      "To install a skill, name its source: skillctl add SOURCE",
    );
  const [naming] = await installation.namingFaults();
  if (naming !== undefined) throw refused(naming);
  const fetched: FetchedSkill[] = [];
  for (const [name, locked] of Object.entries(installation.skills)) {
    const one = await ofSource(name, locked, () => fetchSkill(locked.source, session.context, locked));
    if (one.content.manifest.name !== name || !equal(one.locked, locked))
      throw refused(`${quotedName(locked.source)} does not match the lock`);
    fetched.push(one);
  }
  const changes = fetched.map(({ content, locked, notes }) => changeOf(content, locked, notes));
  return commit(fetched, changes, session);
}

async function commit(
  accepted: readonly FetchedSkill[],
  changes: readonly Change[],
  session: Session,
): Promise<number> {
  const { installation, invocation } = session;
  const asksMore = changes.some(({ from, wider }) => from !== undefined && wider.length > 0);
  const question = `${asksMore ? "It asks for more than before. " : ""}Install and trust it? Its code runs with your rights.`;
  await agreed(session, changes.map(changeText).join("\n"), question);
  const entries = accepted.map(({ content, locked }) => [content.manifest.name, locked] as const);
  const skills = { ...installation.skills, ...Object.fromEntries(entries) };
  const trusted = await installation.commit(
    skills,
    accepted.map(({ content }) => content),
  );
  const { base } = session.context;
  const accept = base === invocation.workingFolder ? "skillctl trust" : `skillctl trust ${quotedName(base)}`;
  const rest = trusted
    ? ""
    : `The folder is not trusted yet. To look: skillctl trust --list; to accept: ${accept}\n`;
  answer(invocation, { installed: changes, trusted }, () => {
    const lines = changes.map(
      ({ name, to }) => `${name} ${to} is installed${trusted ? " and trusted" : ""}.\n`,
    );
    return lines.join("") + rest;
  });
  return 0;
}

/** Shows a text, and asks unless `--yes` is given. @throws SkillError `USAGE` without a terminal, `CANCELLED` for the answer no */
async function agreed({ invocation, read }: Session, shown: string, question: string): Promise<void> {
  const { terminal, options } = invocation;
  terminal.err(printable(shown));
  if (isOn(read, "yes")) return;
  const { choose } = new CommandPerson(terminal, options.progress);
  if (!choose)
    throw new SkillError(
      "USAGE",
      "This needs your consent, but there is no terminal for the question: nothing was changed.",
      {
        hint: "To accept the changes above, repeat the command with --yes.",
      },
    );
  const given = await choose({
    text: question,
    options: [
      // This option comes first, so that Enter changes nothing.
      { value: "n", label: "no, change nothing" },
      { value: "y", label: "yes" },
    ],
  });
  if (given !== "y") throw new SkillError("CANCELLED", "Nothing was changed.");
}
