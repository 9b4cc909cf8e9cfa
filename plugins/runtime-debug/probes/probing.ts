import { join } from "node:path";
import { SkillError, type Call, type Environment, type Files } from "skillctl";
import { expressionFaults } from "../check/purity/expression-faults.ts";
import type { ProbeInput, ProbeOutput } from "../contract.ts";
import type { DebugServers } from "../server/ensure-server.ts";
import type { SetProbe } from "../session/entry.ts";
import { ending } from "../session/next-step.ts";
import { standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { languageNamed, languageOf, LANGUAGES, type Language } from "./languages.ts";
import type { Worktree } from "../worktree/worktree.ts";
import { applied } from "./application.ts";
import { dataFields } from "./data-field.ts";
import { headRegion, probeRegion, type ProbeWish } from "./probe-text.ts";
import { probedFile } from "./probed-file.ts";

export interface ProbingParts {
  readonly sessions: Sessions;
  readonly servers: DebugServers;
  readonly worktree: Worktree;
  readonly files: Files;
  readonly environment: Environment;
}

/** Tried out with it before a server is started. */
const SOME_URL = "http://127.0.0.1:7777/event";
const FILE_AND_LINE = /^(.+):(\d+)$/s;

/** Prints a probe or puts it into a file; docs/runtime-debug.md, section Probes. */
export async function probe(input: ProbeInput, call: Call, parts: ProbingParts): Promise<ProbeOutput> {
  const opened = await parts.sessions.open(input.session);
  parts.sessions.refuse(opened, "probe");
  // A file that takes no probe is told as such, whatever its language.
  const [, file] = FILE_AND_LINE.exec(input.apply ?? "") ?? [];
  if (file !== undefined) await probedFile(parts.files, opened.root, parts.environment.workingFolder, file);
  const wish = wishOf(input, opened);
  probeRegion(wish);
  await refuseActing(wish);
  return input.apply === undefined
    ? printed(wish, opened, call, parts)
    : put(wish, input.apply, opened, call, parts);
}

function wishOf({ hypothesis, point, data, lang, apply }: ProbeInput, { entry }: OpenedSession): ProbeWish {
  const known = entry.hypotheses.map(({ id }) => id);
  if (!known.includes(hypothesis)) {
    throw invalid(`The session has no hypothesis ${hypothesis}.`, `Its hypotheses are ${known.join(", ")}.`);
  }
  const [, file, line] = FILE_AND_LINE.exec(apply ?? "") ?? [];
  const session = entry.id;
  const location = file === undefined ? point : `${file}:${line}`;
  const language = languageFor(lang, file);
  return {
    language,
    session,
    hypothesis,
    point,
    data: dataFields(data ?? []),
    location,
    fallbackUrl: SOME_URL,
  };
}

function languageFor(lang: string | undefined, file: string | undefined): Language {
  const language = lang === undefined ? languageOf(file ?? "") : languageNamed(lang);
  if (language) return language;
  const hint = `Name one with --lang: ${LANGUAGES.join(", ")}.`;
  if (lang === undefined) throw invalid(`No language is known by the name of ${file ?? "the file"}.`, hint);
  throw invalid(`There are no probes for the language ${lang}.`, hint);
}

/** Headers of C++ have the name of those of C. */
function inHeader(language: Language, text: string): Language {
  return language === "c" && /^\s*(?:class|namespace|template|using)\b|\bstd::/m.test(text)
    ? "cpp"
    : language;
}

async function printed(
  wish: ProbeWish,
  opened: OpenedSession,
  call: Call,
  { sessions, servers }: ProbingParts,
): Promise<ProbeOutput> {
  const { eventUrl: fallbackUrl } = await servers.ensure(opened, call);
  const region = probeRegion({ ...wish, fallbackUrl });
  const head = headRegion(wish.language);
  const next = await stepped(sessions, opened, wish);
  const top = head ? `At the top of the file, once:\n${head.join("\n")}\nIn front of a statement:\n` : "";
  const text = `${top}${region.join("\n")}\n\n${ending(next.entry)}`;
  return {
    ...standing(next.entry),
    text,
    language: wish.language,
    region: [...region],
    ...(head && { head: [...head] }),
  };
}

/** The image of the file, then the ledger, then the file: killed anywhere in between, nothing is lost. */
async function put(
  wish: ProbeWish,
  apply: string,
  opened: OpenedSession,
  call: Call,
  { sessions, servers, worktree, files, environment }: ProbingParts,
): Promise<ProbeOutput> {
  const [, name = "", number = "1"] = FILE_AND_LINE.exec(apply) ?? [];
  const { root, entry } = opened;
  const inFile = async (fallbackUrl: string) => {
    const { path, text } = await probedFile(files, root, environment.workingFolder, name);
    const language = inHeader(wish.language, text);
    const located = { ...wish, language, fallbackUrl, location: `${path}:${number}` };
    const done = await applied({ path, text, line: Number(number), wish: located });
    return { path, language, before: text, ...done };
  };
  await inFile(SOME_URL);
  const { eventUrl } = await servers.ensure(opened, call);
  // The start of a server takes its time, in which the file may have changed.
  const { path, language, before, text, region, line } = await inFile(eventUrl);
  await worktree.keep(root, entry.baseline, path);
  await refuseChanged(files, join(root, path), before);
  const next = await stepped(sessions, opened, { ...wish, language }, path);
  await refuseChanged(files, join(root, path), before);
  await worktree.write(root, path, text);
  const data = wish.data.length === 0 ? "no data" : wish.data.map(({ name }) => name).join(", ");
  const told = `Put into ${path}, line ${line}: the probe ${wish.hypothesis}:${wish.point}, which reports ${data}.\n\n${ending(next.entry)}`;
  return { ...standing(next.entry), text: told, language, region: [...region], file: path, line };
}

async function refuseActing({ language, data }: ProbeWish): Promise<void> {
  for (const { name, expression } of data) {
    const [fault] = await expressionFaults(language, expression);
    if (fault)
      throw invalid(
        `${name} cannot be reported by ${expression}: ${fault.sentence}`,
        "Report values as they are: names, members, and functions that only read.",
      );
  }
}

/** Asked before anything is noted, and once more right before the file is written. */
async function refuseChanged(files: Files, file: string, before: string): Promise<void> {
  if ((await files.readText(file)) === before) return;
  throw new SkillError("DEBUG_CHANGED", `${file} was changed while the probe was being put into it.`, {
    file,
    hint: "Look at the line again, and try again.",
  });
}

async function stepped(
  sessions: Sessions,
  opened: OpenedSession,
  { hypothesis, point, language }: ProbeWish,
  file?: string,
): Promise<OpenedSession> {
  const set: SetProbe = { hypothesis, point, language, ...(file !== undefined && { file }) };
  const isSame = (one: SetProbe): boolean =>
    one.hypothesis === hypothesis && one.point === point && one.file === file && one.language === language;
  return sessions.step(opened, "probe", new Set(), ({ probes }) => ({
    probes: [...probes.filter((one) => !isSame(one)), set],
  }));
}

function invalid(sentence: string, hint: string): SkillError {
  return new SkillError("DEBUG_PROBE_INVALID", sentence, { hint });
}
