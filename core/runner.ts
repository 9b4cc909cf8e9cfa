import type { Activator } from "./activator.ts";
import { surfacesOf, type Catalog, type CommandEntry } from "./catalog.ts";
import { SkillError } from "./errors/skill-error.ts";
import type { HostEvents } from "./events.ts";
import type { Guard, GuardPlan, Judgement } from "./guard.ts";
import { shownJson } from "./quoted-name.ts";
import { answeredWithNo, refuse } from "./guard/judgement.ts";
import { refuseWithheld } from "./offered-input.ts";
import type { Call, CommandHandler, Person, Subject } from "./plugin.ts";
import { equal, isObject } from "./schema/json.ts";
import { referred } from "./schema/references.ts";
import type { Check, JsonSchema, Schemas } from "./schema/schemas.ts";
import { defaultsIn } from "./settings.ts";

/** The question of a rule whether a command may run. An answer counts for this request alone. */
export interface Approval {
  readonly skill: string;
  readonly command: string;
  readonly input: unknown;
  /** `<skill>/<rule>` */
  readonly rule: string;
  /** The question for the person. */
  readonly message: string;
}

/**
 * A request for a command. Defaults of the call: the surface `host`, a signal that is never aborted, progress and announcements
 * are dropped, and there is no person.
 */
export interface HostRequest extends Partial<Call> {
  readonly skill: string;
  /** Default: the default command of the skill. */
  readonly command?: string | undefined;
  /** Fits the input schema of the command. */
  readonly input: unknown;
  /**
   * Answers the question of a rule before the command runs. Default: `person` is asked; without one that can choose, the call
   * ends with `GUARD_ASKS`.
   */
  readonly approve?: (question: Approval) => Promise<boolean>;
}

/** A request for a command, with its context. */
export type CommandRequest = HostRequest & Call;

interface Path {
  readonly entry: CommandEntry;
  readonly input: Check;
  readonly output: Check;
  readonly before: GuardPlan;
  readonly after: GuardPlan;
  /** Fills in the defaults of properties that an input lacks. Missing if the schema has no defaults. */
  readonly complete: ((input: unknown) => unknown) | undefined;
  handler: CommandHandler<unknown, unknown> | undefined;
}

/** The maximum length of the input, as JSON, in the question for approval. */
const MOST_SHOWN = 400;

/** The one path of a command: look up, check, guard, run, check, guard. @internal */
export class Runner {
  readonly #catalog: Catalog;
  readonly #schemas: Schemas;
  readonly #guard: Guard;
  readonly #activator: Activator;
  readonly #events: HostEvents | undefined;
  /** By skill, then by command as requested; undefined means the default command. */
  readonly #paths = new Map<string, Map<string | undefined, Path>>();

  constructor(catalog: Catalog, schemas: Schemas, guard: Guard, activator: Activator, events?: HostEvents) {
    this.#catalog = catalog;
    this.#schemas = schemas;
    this.#guard = guard;
    this.#activator = activator;
    this.#events = events;
  }

  /**
   * Runs a command and returns its output.
   * @throws SkillError `CANCELLED`, `UNKNOWN_SKILL`, `UNKNOWN_COMMAND`, `SURFACE_REFUSED`, `INPUT_INVALID`, `GUARD_DENIED`,
   * `GUARD_ASKS`, `GUARD_FAILED`, `OUTPUT_INVALID`, and whatever the skill's own code throws.
   */
  run(request: CommandRequest): Promise<unknown> {
    const { skill, command, surface } = request;
    const run = (): Promise<unknown> => this.#run(request);
    if (!this.#events) return run();
    return this.#events.call({ skill, command: command ?? this.#catalog.standard(skill), surface }, run);
  }

  async #run(request: CommandRequest): Promise<unknown> {
    if (request.signal.aborted) throw cancelled();
    const path = this.#paths.get(request.skill)?.get(request.command) ?? (await this.#planned(request));
    const { entry } = path;
    if (!surfacesOf(entry.command).includes(request.surface)) throw refusedSurface(entry, request);
    refuseWithheld(request.input, entry.command, request.surface);
    const fault = path.input(request.input);
    if (fault) {
      throw new SkillError("INPUT_INVALID", fault.sentence, { pointer: fault.pointer });
    }
    const input =
      path.before.length > 0
        ? await this.#admitted(path, subjectOf("command.pre", entry, request), request)
        : request.input;
    path.handler ??= await this.#activator.command(entry.skill, entry.name);
    const output = await this.#handled(path.handler, path.complete?.(input) ?? input, request);
    const wrong = path.output(output);
    if (wrong) {
      const sentence = `${entry.skill} ${entry.name} returned a value that its schema does not allow: ${wrong.sentence}`;
      const { builtin } = this.#catalog.skill(entry.skill);
      const oddity =
        wrong.keyword === "type" ? oddityOf(referred(`#${wrong.pointer}`, output as JsonSchema)) : "";
      const hint = `${oddity}Change the code of the command, or the schema ${entry.command.output}.`;
      throw new SkillError("OUTPUT_INVALID", sentence, { pointer: wrong.pointer, ...(!builtin && { hint }) });
    }
    if (path.after.length > 0) {
      const subject = { ...subjectOf("command.post", entry, { ...request, input }), output };
      refuse(await this.#judged(path.after, request, subject));
    }
    return output;
  }

  async #planned({ skill, command }: CommandRequest): Promise<Path> {
    const entry = this.#catalog.command(skill, command);
    const [input, output] = await Promise.all([
      this.#schemas.check(entry.command.input),
      this.#schemas.check(entry.command.output),
    ]);
    const [before, after] = [this.#guard.plan("command.pre", skill), this.#guard.plan("command.post", skill)];
    const complete = await this.#completion(entry);
    const path: Path = { entry, input, output, before, after, complete, handler: undefined };
    const paths = this.#paths.get(skill) ?? new Map<string | undefined, Path>();
    this.#paths.set(skill, paths.set(command, path));
    return path;
  }

  /** The schemas of built-in skills are compiled by the build and not read here: their code applies defaults itself. */
  async #completion({ skill, command }: CommandEntry): Promise<Path["complete"]> {
    if (this.#catalog.skill(skill).builtin) return undefined;
    const defaults = defaultsIn(await this.#schemas.document(command.input));
    if (Object.keys(defaults).length === 0) return undefined;
    return (input) => (isObject(input) ? { ...structuredClone(defaults), ...input } : input);
  }

  /** An `AbortError` that a handler passes on after an abort is reported as `CANCELLED`. */
  async #handled(
    handler: NonNullable<Path["handler"]>,
    input: unknown,
    request: CommandRequest,
  ): Promise<unknown> {
    try {
      return await handler.run(input, request);
    } catch (caught) {
      const isAbort = caught instanceof Error && caught.name === "AbortError";
      if (isAbort && request.signal.aborted) throw cancelled(caught);
      throw caught;
    }
  }

  /** The input that the rules allow: the given one, or the one that they replace it with. */
  async #admitted(
    { before, input, entry }: Path,
    subject: Subject,
    request: CommandRequest,
  ): Promise<unknown> {
    const judgement = await this.#answered(await this.#judged(before, request, subject), entry, request);
    if (judgement.decision !== "transform") {
      refuse(judgement);
      return request.input;
    }
    const changed = judgement.input;
    const fault = input(changed);
    if (fault) {
      const sentence = `A rule changed the input of ${entry.skill} ${entry.name} to a value that its schema does not allow: ${fault.sentence}`;
      throw new SkillError("GUARD_FAILED", sentence, { hint: `Rule: ${judgement.findings[0]?.rule}.` });
    }
    // The input that a rule has changed is judged like the original, and must not change again.
    const judged = await this.#judged(before, request, { ...subject, input: changed });
    const again = await this.#answered(judged, entry, { ...request, input: changed });
    if (again.decision !== "transform" || !equal(again.input, changed)) refuse(again);
    return changed;
  }

  /** A judgement, with its questions answered by a person if one can be asked. */
  async #answered(judgement: Judgement, entry: CommandEntry, request: CommandRequest): Promise<Judgement> {
    const asking = judgement.findings.find(({ decision }) => decision === "ask");
    if (judgement.decision !== "ask" || !asking) return judgement;
    const { approve = approvalBy(request.person), input, surface } = request;
    const { rule, message } = asking;
    if (!approve) return judgement;
    const isApproved = await approve({ skill: entry.skill, command: entry.name, input, rule, message });
    return isApproved ? this.#guard.approved(judgement, surface) : answeredWithNo(judgement);
  }

  async #judged(plan: GuardPlan, request: CommandRequest, subject: Subject): Promise<Judgement> {
    const judgement = await this.#guard.judge(plan, subject);
    for (const finding of judgement.findings)
      if (finding.decision === "warn") request.progress(finding.message);
    return judgement;
  }
}

/** Asks the person behind a request; undefined if the surface offers no choice. No is the first option, so that Enter refuses. */
function approvalBy(person: Person | undefined): CommandRequest["approve"] {
  const { choose } = person ?? {};
  if (!choose) return undefined;
  const options = [
    { value: "N", label: "No, do not run it" },
    { value: "Y", label: "Yes, this once" },
  ];
  return async ({ skill, command, message, input }) => {
    const words = Object.keys(Object(input)).length === 0 ? "" : ` with ${shownJson(input, MOST_SHOWN)}`;
    return (await choose({ text: `${message}\nRun ${skill} ${command}${words}?`, options })) === "Y";
  };
}

function subjectOf(event: Subject["event"], entry: CommandEntry, request: CommandRequest): Subject {
  const { surface, input, session } = request;
  const subject = { event, surface, skill: entry.skill, name: entry.name, input };
  return session === undefined ? subject : { ...subject, session };
}

function cancelled(cause?: unknown): SkillError {
  return new SkillError("CANCELLED", "The command was cancelled.", { cause });
}

function refusedSurface({ skill, name, command }: CommandEntry, { surface }: CommandRequest): SkillError {
  return new SkillError("SURFACE_REFUSED", `${skill} ${name} is not offered on ${surface}.`, {
    hint: `It is offered on: ${surfacesOf(command).join(", ")}.`,
  });
}

/** A remark on a value that JSON cannot hold and that code often returns by mistake. */
function oddityOf(value: unknown): string {
  if (value === undefined) return "There is no value: is a `return` missing? ";
  if (value instanceof Promise) return "It is a Promise: is an `await` missing? ";
  return typeof value === "bigint" ? "It is a BigInt, which JSON cannot hold: write Number(…). " : "";
}
