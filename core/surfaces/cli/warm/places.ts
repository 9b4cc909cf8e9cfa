import { join } from "node:path";
import { rulesFiles } from "../../../adapters/configuration.ts";
import { processEnvironment } from "../../../adapters/environment.ts";
import { stampOf } from "../../../adapters/file-stamp.ts";
import type { Guard } from "../../../guard.ts";
import { recordsFolder } from "../../../adapters/trust-records.ts";
import { dialectOf } from "../../hook/dialects.ts";
import type { Dialect, Spoken } from "../../hook/hook.ts";
import type { WarmRequest } from "../../hook/warm/protocol.ts";
import { guardFor, spokenBy } from "../judging.ts";
import { coreSchemas } from "../schema-files.ts";
import type { OpenContext, Terminal, VerbContext } from "../verb.ts";

/** A working folder with an environment, and the guard of there. */
interface Place {
  readonly stamp: string;
  readonly opened: Promise<OpenContext>;
  guard: Promise<Guard> | undefined;
  /** How many events are before it. */
  users: number;
  dropped: boolean;
  /** What is said beside the answers, for each event that is before it. */
  readonly hearers: Set<string[]>;
}

/** So many are kept open, the ones that were asked last. */
const MOST = 16;

/** The guards of the working folders and environments that events come from, each with the settings and rules of there. */
export class Places {
  readonly #context: VerbContext;
  readonly #names: readonly string[];
  readonly #places = new Map<string, Place>();
  readonly #dialects = new Map<string, Dialect>();

  /** `names`: the variables that rules may look at, beside SKILLCTL_... */
  constructor(context: VerbContext, names: readonly string[]) {
    this.#context = context;
    this.#names = names;
  }

  /** The answer that the cold program would give; undefined where it has to give it itself. */
  async answer(request: WarmRequest, event: Buffer): Promise<Spoken | undefined> {
    const dialect = await this.#dialect(request.dialect);
    if (!dialect || !this.#isKnown(request)) return undefined;
    const place = this.#placeOf(request);
    if (!place) return undefined;
    place.users += 1;
    try {
      return await this.#spoken(dialect, place, event);
    } finally {
      place.users -= 1;
      if (place.dropped) this.#drop(place);
    }
  }

  async #spoken(dialect: Dialect, place: Place, event: Buffer): Promise<Spoken | undefined> {
    const { context } = await place.opened;
    // Code of others may leave something behind that the next event would meet.
    if (context.options.plugins.length > 0) return undefined;
    // What is broken is read anew for the next event: it may have been out of reach for a moment.
    if (context.configurationFault) place.dropped = true;
    let failed = false;
    const judged = async (): Promise<Pick<Guard, "decide">> => {
      failed = true;
      const guard = await (place.guard ??= guardFor(context));
      failed = false;
      return {
        decide: async (subject) => {
          const decision = await guard.decide(subject);
          failed = decision.reasonCode === "GUARD_FAILED";
          return decision;
        },
      };
    };
    const said: string[] = [];
    const input = Object.assign(streamOf(event), { destroy: () => undefined });
    place.hearers.add(said);
    const spoken = await spokenBy(dialect, context, { input, guard: judged });
    place.hearers.delete(said);
    if (!failed) return { ...spoken, err: said.join("") + spoken.err };
    // It may have failed for want of something that is there the next time; and the cold program has the last word.
    place.dropped = true;
    return undefined;
  }

  async close(): Promise<void> {
    const all = [...this.#places.values()];
    this.#places.clear();
    await Promise.all(all.map((place) => this.#closed(place)));
  }

  /** Whether everything that could tell the two apart has been sent, and what cannot be taken over is the same. */
  #isKnown({ names, variables }: WarmRequest): boolean {
    const here = this.#context.variables;
    return (
      this.#names.every((name) => names.includes(name)) &&
      ["NODE_OPTIONS", "TMPDIR"].every((name) => (variables[name] ?? "") === (here[name] ?? ""))
    );
  }

  #placeOf(request: WarmRequest): Place | undefined {
    const { cwd, names } = request;
    const { user, operator } = rulesFiles(request.variables);
    const key = JSON.stringify([cwd, request.variables]);
    const { text: stamp, young } = stampOf([
      join(cwd, "skillctl.json"),
      user,
      operator,
      this.#trustOf(request),
    ]);
    const known = this.#places.get(key);
    if (known) {
      this.#places.delete(key);
      if (known.stamp === stamp && !known.dropped) {
        this.#places.set(key, known);
        return known;
      }
      this.#drop(known);
    }
    // A file that changes right now may do so twice within one tick of its clock.
    if (young) return undefined;
    const variables = { ...this.#others(names), ...request.variables };
    const hearers = new Set<string[]>();
    const terminal = this.#terminal(hearers);
    const opened = this.#context.elsewhere({ workingFolder: cwd, variables, terminal });
    const place: Place = { stamp, opened, guard: undefined, users: 0, dropped: false, hearers };
    this.#places.set(key, place);
    const [oldest] = this.#places;
    if (oldest && this.#places.size > MOST) {
      this.#places.delete(oldest[0]);
      this.#drop(oldest[1]);
    }
    return place;
  }

  /** What the person said of the folders. */
  #trustOf({ cwd, variables }: WarmRequest): string {
    return recordsFolder(processEnvironment({ ...this.#context.variables, ...variables }, cwd).stateFolder);
  }

  /** Closes a place once nobody uses it. */
  #drop(place: Place): void {
    place.dropped = true;
    if (place.users === 0) void this.#closed(place);
  }

  async #closed({ opened }: Place): Promise<void> {
    const open = await opened.catch(() => undefined);
    await open?.close(this.#terminal());
  }

  /** What the host's own environment holds beside the variables that a dispatcher sends. */
  #others(names: readonly string[]): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries(
      Object.entries(this.#context.variables).filter(
        ([name]) => !names.includes(name) && !name.startsWith("SKILLCTL_"),
      ),
    );
  }

  async #dialect(name: string): Promise<Dialect | undefined> {
    const known = this.#dialects.get(name);
    if (known) return known;
    const dialect = await dialectOf(name, () =>
      coreSchemas(this.#context.precompiled).check("core/guard-request"),
    );
    if (dialect) this.#dialects.set(name, dialect);
    return dialect;
  }

  /** What is said beside the answer goes to whom the work is done for; of several in one place to all of them. */
  #terminal(hearers: Iterable<string[]> = []): Terminal {
    return {
      out: () => undefined,
      err: (text) => {
        for (const said of hearers) said.push(text);
      },
      lively: false,
      colour: false,
      columns: 80,
      signal: this.#context.terminal.signal,
    };
  }
}

async function* streamOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
