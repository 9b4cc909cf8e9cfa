import { inject, injectable, SkillError, type Call, type CommandHandler } from "skillctl";
import { SESSION_CHECK, type SessionCheck } from "./check-command.ts";
import type { ProbeInput, ProbeOutput } from "../contract.ts";
import { NEW_RUN, type NewRun } from "../drift/new-run.ts";
import { commentOf, languageNamed, languageOf, templateOf, type Language } from "../probes/languages.ts";
import { refuseChanges } from "../probes/expression.ts";
import { joined, placedIn, told, type Placement, type WantedProbe } from "../probes/placement.ts";
import {
  byHand,
  dataFields,
  headRegion,
  limitsOf,
  probeRegion,
  type ProbeWish,
} from "../probes/probe-text.ts";
import { PROBED_FILES, type ProbedFile, type ProbedFiles } from "../probes/probed-file.ts";
import { DEBUG_SERVERS, type DebugServers } from "../session/debug-servers.ts";
import { FILE_AND_LINE, probeEnding, refuseUnlisted, regionHash } from "../session/set-probes.ts";
import { guidance } from "../session/next-step.ts";
import { SESSIONS, standing, type OpenedSession, type Sessions } from "../session/sessions.ts";
import { isCollecting } from "../session/steps.ts";

/** The address that placements are tested with before a server is started. */
const SOME_URL = "http://127.0.0.1:7777/event";
type Spec = NonNullable<ProbeInput["from"]>[number];

/** A probe and the place for it. */
interface Wanted extends WantedProbe {
  /** The name of the file in the call. */
  readonly name: string;
  /** Its place in the batch, from 0. */
  readonly index: number;
}

/** The faults of the probes of a batch, by their places. */
type Faults = Map<number, SkillError>;

/** Prints a probe or puts it into a file; docs/debug-session.md, section Probes. */
@injectable()
export class ProbeCommand implements CommandHandler<ProbeInput, ProbeOutput> {
  constructor(
    @inject(SESSIONS) private readonly sessions: Sessions,
    @inject(SESSION_CHECK) private readonly check: SessionCheck,
    @inject(DEBUG_SERVERS) private readonly servers: DebugServers,
    @inject(NEW_RUN) private readonly newRun: NewRun,
    @inject(PROBED_FILES) private readonly files: ProbedFiles,
  ) {}

  /** @throws SkillError as the manifest lists. */
  run(input: ProbeInput, call: Call): Promise<ProbeOutput> {
    return this.sessions.turn(input.session, call, (opened) => this.#probe(input, opened, call));
  }

  async #probe(input: ProbeInput, opened: OpenedSession, call: Call): Promise<ProbeOutput> {
    if (input.from ?? input.apply ?? !isPrintable(opened)) this.sessions.refuse(opened, "probe");
    const output = input.from
      ? await this.#several(input, input.from, opened, call)
      : await this.#one(checkedSpec(input), opened, call);
    return input.check === true ? this.#checked(output, call) : output;
  }

  async #one(
    spec: Omit<Spec, "apply"> & Partial<Spec>,
    opened: OpenedSession,
    call: Call,
  ): Promise<ProbeOutput> {
    const { apply, lang } = spec;
    if (apply !== undefined) {
      const wanted = await this.#wanted({ ...spec, apply }, 0, opened);
      if ("called" in wanted) return this.#told(wanted.wish, wanted.called, opened, call);
      return this.#put([wanted], new Map(), 1, opened, call);
    }
    const wish = wishOf(spec, opened, spec.point);
    const language = languageNamed(lang ?? "");
    if (language === undefined) return this.#told(wish, lang ?? "", opened, call);
    refuseLimits(language, spec);
    return this.#printed({ ...wish, language }, opened, call);
  }

  /** The flags of the call hold for each probe. */
  async #several(
    { sync = false, allowCall = false, inside = false, limit, most }: ProbeInput,
    specs: readonly Spec[],
    opened: OpenedSession,
    call: Call,
  ): Promise<ProbeOutput> {
    const all: Wanted[] = [];
    const faults: Faults = new Map();
    for (const [index, spec] of specs.entries()) {
      const flags = {
        sync: sync || spec.sync === true,
        allowCall: allowCall || spec.allowCall === true,
        inside: inside || spec.inside === true,
        ...(limit !== undefined && spec.limit === undefined && { limit }),
        ...(most !== undefined && spec.most === undefined && { most }),
      };
      await noted(faults, index, async () => {
        const wanted = await this.#wanted({ ...spec, ...flags }, index, opened);
        if (!("called" in wanted)) return all.push(wanted);
        throw new SkillError("DEBUG_PROBE_INVALID", `Probes of ${wanted.called} are written by hand.`, {
          hint: "Name its language with lang, or call probe without --from to print its text.",
        });
      });
    }
    return this.#put(all, faults, specs.length, opened, call);
  }

  /** The place of a probe; without a template, the name of the language or file. */
  async #wanted(
    spec: Spec,
    index: number,
    opened: OpenedSession,
  ): Promise<Wanted | { readonly wish: Omit<ProbeWish, "language">; readonly called: string }> {
    const [, name = "", number = "1"] = FILE_AND_LINE.exec(spec.apply) ?? [];
    const line = Number(number);
    // A file that cannot have probes is reported first, in any language.
    const { path, text } = await this.files.read(opened.root, name);
    const wish = wishOf(spec, opened, `${path}:${line}`);
    const language = spec.lang === undefined ? languageOf(name, text) : languageNamed(spec.lang);
    if (language === undefined) return { wish, called: spec.lang ?? name };
    refuseLimits(language, spec);
    await refuseChanges(language, wish.data, wish.allowCall);
    return { wish: { ...wish, language }, name, line, index };
  }

  /** The result of `check` after the insertion. */
  async #checked(output: ProbeOutput, call: Call): Promise<ProbeOutput> {
    try {
      const opened = await this.sessions.open(output.session);
      const { state, step, next, text } = await this.check.of(opened, call);
      // The next step, after a blank line, is now that of the check.
      const [placed = ""] = output.text.split("\n\n", 1);
      return { ...output, state, step, next, text: `${placed}\n${text}` };
    } catch (caught) {
      if (!(caught instanceof SkillError && caught.code === "DEBUG_CHECK_FAILED")) throw caught;
      throw new SkillError(caught.code, `The probes are in place. ${caught.message}`, {
        cause: caught,
        ...(caught.hint !== undefined && { hint: caught.hint }),
      });
    }
  }

  /** Prints a probe for a language without a template. */
  async #told(
    wish: Omit<ProbeWish, "language">,
    called: string,
    opened: OpenedSession,
    call: Call,
  ): Promise<ProbeOutput> {
    const comment = commentOf(called);
    if (!comment)
      throw new SkillError(
        "DEBUG_PROBE_INVALID",
        `${called} contains no program, so a probe there never runs.`,
        {
          hint: "Set the probe in code, or name the language with --lang.",
        },
      );
    const { eventUrl: fallbackUrl } = await this.servers.ensure(opened, call);
    const language = (/\.(\w+)$/.exec(called)?.[1] ?? called).toLowerCase();
    const { region, text } = byHand({ ...wish, fallbackUrl }, comment, language);
    return { ...printed(opened, text), language, region: [...region] };
  }

  async #printed(wish: ProbeWish, opened: OpenedSession, call: Call): Promise<ProbeOutput> {
    const { language } = wish;
    probeRegion(wish);
    await refuseChanges(language, wish.data, wish.allowCall);
    const { eventUrl: fallbackUrl } = await this.servers.ensure(opened, call);
    const region = probeRegion({ ...wish, fallbackUrl });
    const head = headRegion(language, wish.location);
    const top = head
      ? `${language === "go" ? "After the imports" : "At the top"} of the file, once:\n${head.join("\n")}\nBefore a statement:\n`
      : "";
    const text = `${top}${region.join("\n")}`;
    return { ...printed(opened, text), language, region: [...region], ...(head && { head: [...head] }) };
  }

  /** The images of the files, then the ledger, then the files: if the process is killed in between, nothing is lost. */
  async #put(
    all: readonly Wanted[],
    faults: Faults,
    count: number,
    opened: OpenedSession,
    call: Call,
  ): Promise<ProbeOutput> {
    const { root, entry } = opened;
    await this.#placements(all, SOME_URL, faults, opened);
    refuse(faults, count);
    const { eventUrl } = await this.servers.ensure(opened, call);
    // Starting a server takes time, during which a file may have changed.
    const placements = await this.#placements(all, eventUrl, faults, opened);
    refuse(faults, count);
    await this.files.keep(root, entry.baseline, placements);
    const set = placements.flatMap(({ path, put }) =>
      put.map(({ wish, region }) => ({ ...wish, file: path, hash: regionHash(region) })),
    );
    const next = await this.newRun.probed(opened, set);
    for (const placement of placements) await this.files.write(root, placement);
    const { probes, text, only } = told(placements);
    return { ...answered(next, text), probes, ...only };
  }

  /** The files with their probes; a probe that cannot be placed is added to the faults. */
  async #placements(
    all: readonly Wanted[],
    fallbackUrl: string,
    faults: Faults,
    opened: OpenedSession,
  ): Promise<readonly Placement[]> {
    const byPath = new Map<string, { readonly file: ProbedFile; readonly wanted: Wanted[] }>();
    for (const one of all)
      await noted(faults, one.index, async () => {
        const file = await this.files.read(opened.root, one.name);
        const known = byPath.get(file.path) ?? { file, wanted: [] };
        known.wanted.push({ ...one, wish: { ...one.wish, fallbackUrl } });
        byPath.set(file.path, known);
      });
    const placements: Placement[] = [];
    for (const { file, wanted } of byPath.values()) {
      const placement = await placedIn(file, wanted);
      placements.push(placement);
      for (const [at, fault] of placement.refused) faults.set(wanted[at]?.index ?? 0, fault);
    }
    return placements;
  }
}

/** Runs a step of a probe, and records the faults of the probe. */
async function noted(faults: Faults, index: number, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (caught) {
    if (!(caught instanceof SkillError)) throw caught;
    faults.set(index, caught);
  }
}

function refuse(faults: Faults, count: number): void {
  if (faults.size > 0)
    throw joined(
      [...faults].sort(([one], [other]) => one - other),
      count,
    );
}

/** A single probe needs a hypothesis and a point. */
function checkedSpec(input: ProbeInput): Omit<Spec, "apply"> & Partial<Spec> {
  const { hypothesis, point } = input;
  if (hypothesis === undefined || point === undefined)
    throw new SkillError("USAGE", `--${hypothesis === undefined ? "hypothesis" : "point"} is missing.`, {
      hint: "A probe requires --hypothesis and --point; pass several with --from FILE, or --from - for standard input.",
    });
  return { ...input, hypothesis, point };
}

/** Refuses limits that probes of the language do not support. @throws SkillError `DEBUG_PROBE_INVALID` */
function refuseLimits(language: Language, spec: Pick<Spec, "limit" | "most">): void {
  const kept = limitsOf(templateOf(language));
  const flag = (["limit", "most"] as const).find((key) => spec[key] !== undefined && kept[key] === undefined);
  if (flag === undefined) return;
  const other = kept.most === undefined ? "" : "; --most limits their events in total";
  throw new SkillError("DEBUG_PROBE_INVALID", `Probes of ${language} do not support --${flag}${other}.`, {
    hint: `Leave --${flag} out, or set the probe before the loop.`,
  });
}

/** A probe can be printed until the cleanup, for example to restore a lost one. */
function isPrintable({ entry }: OpenedSession): boolean {
  return entry.state !== "observing" && entry.state !== "cleaning" && entry.state !== "closed";
}

/** Printing changes nothing: the session stays at its step. */
function printed({ entry }: OpenedSession, text: string): ProbeOutput {
  const ending =
    entry.state === "instrumenting"
      ? [`Once each hypothesis has a probe in the code: skillctl run runtime-debug check ${entry.id}`]
      : [
          "The state of the session has not changed.",
          ...(isCollecting(entry.state) ? guidance(entry.steps, "the probes") : []),
        ];
  return { ...standing(entry), text: [text, "", ...ending].join("\n") };
}

function answered({ entry }: OpenedSession, text: string): ProbeOutput {
  return { ...standing(entry), text: `${text}\n\n${probeEnding(entry)}` };
}

function wishOf(
  { hypothesis, point, data, sync, allowCall, inside, limit, most }: Omit<Spec, "apply">,
  { entry }: OpenedSession,
  location: string,
): Omit<ProbeWish, "language"> {
  refuseUnlisted(entry, hypothesis);
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
    ...(limit !== undefined && { perSecond: limit }),
    ...(most !== undefined && { most }),
  };
}
