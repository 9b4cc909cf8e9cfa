import { join } from "node:path";
import { ENVIRONMENT, FILES, inject, injectable, SkillError } from "skillctl";
import type { Call, CommandHandler, Environment, Files } from "skillctl";
import type { ProbeInput, ProbeOutput } from "./contract.ts";
import { applied } from "./probes/application.ts";
import { byHand } from "./probes/by-hand.ts";
import { commentOf, languageNamed, languageOf, type Language } from "./probes/languages.ts";
import { dataFields, headRegion, probeRegion, type ProbeWish } from "./probes/probe-text.ts";
import { probedFile, type ProbedFile } from "./probes/probed-file.ts";
import { TEMPLATES } from "./probes/templates.ts";
import { DEBUG_SERVERS, type DebugServers } from "./server/ensure-server.ts";
import type { SetProbe } from "./session/entry.ts";
import { ending } from "./session/next-step.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "./session/sessions.ts";
import { WORKTREE, type Worktree } from "./worktree/worktree.ts";

/** Tried out with it before a server is started. */
const SOME_URL = "http://127.0.0.1:7777/event";
const FILE_AND_LINE = /^(.+):(\d+)$/s;
/** A program that gives events no time to leave. */
const ENDS_ITSELF =
  /\bprocess\.(?:exit|reallyExit|abort|kill)\s*\(|\bSIGKILL\b|\bwhile\s*\((?:true|1)\)|\bfor\s*\(\s*;\s*;\s*\)/;

/** Where a probe is to be put. */
interface Target {
  readonly name: string;
  readonly line: number;
}

/** Prints a probe or puts it into a file; docs/debug-session.md, section Probes. */
@injectable()
export class ProbeCommand implements CommandHandler<ProbeInput, ProbeOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(WORKTREE) private readonly worktree: Worktree,
    @inject(FILES) private readonly files: Files,
    @inject(ENVIRONMENT) private readonly environment: Environment,
  ) {}

  /** @throws SkillError as the manifest lists. */
  run(input: ProbeInput, call: Call): Promise<ProbeOutput> {
    return this.sessions.turn(input.session, call.signal, () => this.#probe(input, call));
  }

  async #probe(input: ProbeInput, call: Call): Promise<ProbeOutput> {
    const opened = await this.sessions.open(input.session);
    this.sessions.refuse(opened, "probe");
    const [, name, number = "1"] = FILE_AND_LINE.exec(input.apply ?? "") ?? [];
    const target = name === undefined ? undefined : { name, line: Number(number) };
    // A file that takes no probe is told as such, whatever its language.
    const file = target && (await this.#file(opened, target));
    const wish = wishOf(input, opened, file && target ? `${file.path}:${target.line}` : input.point);
    const language = input.lang === undefined ? languageOf(name ?? "") : languageNamed(input.lang);
    if (language === undefined) return this.#told(wish, input.lang ?? name ?? "", opened, call);
    if (!target) return this.#printed({ ...wish, language }, opened, call);
    return this.#put({ ...wish, language }, target, opened, call);
  }

  #file({ root }: OpenedSession, { name }: Target): Promise<ProbedFile> {
    return probedFile(this.files, root, this.environment.workingFolder, name);
  }

  /** In a language without a template. */
  async #told(
    wish: Omit<ProbeWish, "language">,
    called: string,
    opened: OpenedSession,
    call: Call,
  ): Promise<ProbeOutput> {
    const comment = commentOf(called);
    if (!comment)
      throw new SkillError("DEBUG_PROBE_INVALID", `${called} holds no program: no probe runs there.`, {
        hint: "Set the probe in code, or name the language with --lang.",
      });
    const { eventUrl: fallbackUrl } = await this.servers.ensure(opened, call);
    const language = (/\.(\w+)$/.exec(called)?.[1] ?? called).toLowerCase();
    const { region, text } = byHand({ ...wish, fallbackUrl }, comment, language);
    const next = await this.#stepped(opened, { ...wish, language });
    return {
      ...standing(next.entry),
      text: `${text}\n\n${ending(next.entry)}`,
      language,
      region: [...region],
    };
  }

  async #printed(wish: ProbeWish, opened: OpenedSession, call: Call): Promise<ProbeOutput> {
    const { language } = wish;
    probeRegion(wish);
    const { eventUrl: fallbackUrl } = await this.servers.ensure(opened, call);
    const region = probeRegion({ ...wish, fallbackUrl });
    const head = headRegion(language);
    const next = await this.#stepped(opened, wish);
    const top = head ? `At the top of the file, once:\n${head.join("\n")}\nIn front of a statement:\n` : "";
    const text = `${top}${region.join("\n")}\n\n${ending(next.entry)}`;
    return {
      ...standing(next.entry),
      text,
      language,
      region: [...region],
      ...(head && { head: [...head] }),
    };
  }

  /** The image of the file, then the ledger, then the file: killed anywhere in between, nothing is lost. */
  async #put(wish: ProbeWish, target: Target, opened: OpenedSession, call: Call): Promise<ProbeOutput> {
    const { root, entry } = opened;
    const inFile = async (fallbackUrl: string) => {
      const { path, text: before } = await this.#file(opened, target);
      const language = inHeader(wish.language, before);
      const done = applied({
        path,
        text: before,
        line: target.line,
        wish: { ...wish, language, fallbackUrl },
      });
      return { path, language, before, ...done };
    };
    await inFile(SOME_URL);
    const { eventUrl } = await this.servers.ensure(opened, call);
    // The start of a server takes its time, in which the file may have changed.
    const { path, language, before, text, region, line } = await inFile(eventUrl);
    await this.worktree.keep(root, entry.baseline, path);
    await this.#refuseChanged(join(root, path), before);
    const next = await this.#stepped(opened, { ...wish, language }, path);
    await this.#refuseChanged(join(root, path), before);
    await this.worktree.write(root, path, text);
    const data = wish.data.length === 0 ? "no data" : wish.data.map(({ name }) => name).join(", ");
    const told = [
      `Put into ${path}, line ${line}: the probe ${wish.hypothesis}:${wish.point}, which reports ${data}.`,
      ...(wish.sync !== true && hasSync(language) && ENDS_ITSELF.test(before)
        ? [
            "The file can end, kill or hold its process, and events under way are lost then: --sync reports before the program goes on.",
          ]
        : []),
    ];
    const answer = `${told.join("\n")}\n\n${ending(next.entry)}`;
    return { ...standing(next.entry), text: answer, language, region: [...region], file: path, line };
  }

  /** Asked before anything is noted, and once more right before the file is written. */
  async #refuseChanged(file: string, before: string): Promise<void> {
    if ((await this.files.readText(file)) === before) return;
    throw new SkillError("DEBUG_CHANGED", `${file} was changed while the probe was being put into it.`, {
      file,
      hint: "Look at the line again, and try again.",
    });
  }

  #stepped(
    opened: OpenedSession,
    { hypothesis, point, language }: Omit<SetProbe, "file">,
    file?: string,
  ): Promise<OpenedSession> {
    const set: SetProbe = { hypothesis, point, language, ...(file !== undefined && { file }) };
    const isSame = (one: SetProbe): boolean =>
      one.hypothesis === hypothesis && one.point === point && one.file === file && one.language === language;
    return this.sessions.step(opened, "probe", new Set(), ({ probes }) => ({
      probes: [...probes.filter((one) => !isSame(one)), set],
    }));
  }
}

function wishOf(
  { hypothesis, point, data, sync, allowCall, inside }: ProbeInput,
  { entry }: OpenedSession,
  location: string,
): Omit<ProbeWish, "language"> {
  const known = entry.hypotheses.map(({ id }) => id);
  if (!known.includes(hypothesis)) {
    throw new SkillError("DEBUG_PROBE_INVALID", `The session has no hypothesis ${hypothesis}.`, {
      hint: `Its hypotheses are ${known.join(", ")}.`,
    });
  }
  return {
    session: entry.id,
    hypothesis,
    point,
    data: dataFields(data ?? []),
    location,
    fallbackUrl: SOME_URL,
    sync: sync === true,
    allowCall: allowCall === true,
    inside: inside === true,
  };
}

/** Headers of C++ have the name of those of C. */
function inHeader(language: Language, text: string): Language {
  return language === "c" && /^\s*(?:class|namespace|template|using)\b|\bstd::/m.test(text)
    ? "cpp"
    : language;
}

function hasSync(language: Language): boolean {
  return TEMPLATES[language].some(({ sync }) => sync !== undefined);
}
