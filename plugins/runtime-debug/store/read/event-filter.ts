import { runName } from "../event/run-name.ts";
import { keysOf, OTHER, textOf, type EventKeys } from "../log/line-facts.ts";
import { objectOf } from "../log/line-text.ts";
import { hypothesisNames } from "./hypothesis-names.ts";

/** Which events are asked for: values of one field are alternatives, fields all hold. Values may hold commas. */
export interface Asked {
  readonly hypothesisId?: readonly string[] | undefined;
  readonly runId?: readonly string[] | undefined;
  readonly traceId?: readonly string[] | undefined;
  readonly location?: readonly string[] | undefined;
  readonly q?: string | undefined;
  readonly since?: number | undefined;
  readonly before?: number | undefined;
}

/** What a key's number says about its events. */
export const FITS_NOT = 0;
export const FITS = 1;
/** Only the line tells. */
export const MAY_FIT = 2;

/** Tells events that are asked for from others: by key first, by the line only where these do not do. */
export class EventFilter {
  /** Only events with a greater number; -1 when that does not matter. */
  readonly since: number;
  /** Only events with a smaller number; infinite when that does not matter. */
  readonly before: number;
  readonly #hypotheses: ReadonlySet<string> | undefined;
  readonly #runs: ReadonlySet<string> | undefined;
  readonly #locations: readonly string[] | undefined;
  readonly #traces: ReadonlySet<string> | undefined;
  readonly #text: string | undefined;

  constructor({ hypothesisId, runId, traceId, location, q, since, before }: Asked) {
    this.since = since ?? -1;
    this.before = before ?? Number.POSITIVE_INFINITY;
    this.#hypotheses =
      hypothesisId && new Set(values(hypothesisId).flatMap((text) => [...hypothesisNames(text)]));
    this.#runs = runId && new Set(values(runId).map(runName));
    this.#locations = location && values(location);
    this.#traces = traceId && new Set(values(traceId));
    this.#text = q?.toLowerCase();
  }

  /** Whether counts by key answer it, so that no record has to be looked at. */
  get byKeyOnly(): boolean {
    return this.since < 0 && this.before === Number.POSITIVE_INFINITY && !this.readsLines;
  }

  /** Whether every event is asked for. */
  get fitsAll(): boolean {
    return this.byKeyOnly && !this.#hypotheses && !this.#runs && !this.#locations;
  }

  /** Whether lines have to be read to know. */
  get readsLines(): boolean {
    return this.#traces !== undefined || this.#text !== undefined;
  }

  /** For every key's number `FITS`, `FITS_NOT` or `MAY_FIT`. */
  mask(keys: readonly EventKeys[]): Uint8Array {
    const mask = new Uint8Array(keys.length);
    for (const [key, one] of keys.entries())
      mask[key] = one === OTHER ? MAY_FIT : this.fits(one) ? FITS : FITS_NOT;
    return mask;
  }

  fits(keys: EventKeys): boolean {
    if (this.#runs && !this.#runs.has(keys.run)) return false;
    if (this.#locations && !this.#locations.some((asked) => isAt(keys.location, asked))) return false;
    const hypotheses = this.#hypotheses;
    if (!hypotheses || hypotheses.has(keys.hypothesis)) return true;
    return [...hypothesisNames(keys.hypothesis)].some((name) => hypotheses.has(name));
  }

  /** Whether the line of an event fits that may. */
  fitsLine(line: string, keysFit: boolean): boolean {
    if (this.#text !== undefined && !line.toLowerCase().includes(this.#text)) return false;
    if (keysFit && !this.#traces) return true;
    const event = objectOf(line);
    if (!event || (this.#traces && !this.#traces.has(textOf(event["traceId"])))) return false;
    return keysFit || this.fits(keysOf(event));
  }
}

/** The single values, of which each part may hold several. */
export function values(asked: readonly string[]): readonly string[] {
  const all = asked.flatMap((part) => part.split(",").map((value) => value.trim()));
  return all.filter((value) => value !== "");
}

function isAt(location: string, asked: string): boolean {
  return asked.endsWith("*") ? location.startsWith(asked.slice(0, -1)) : location === asked;
}
