import { join } from "node:path";
import { FILES, inject, injectable, quotedName, SkillError, token, type Files } from "skillctl";
import type { ObserveInput } from "../contract.ts";
import { refuseChanges } from "../probes/expression.ts";
import { languageOf } from "../probes/languages.ts";
import { PROBED_FILES, type ProbedFiles } from "../probes/probed-file.ts";
import { dataFields, MOST } from "../probes/probe-text.ts";
import type { SetProbe } from "../session/entry.ts";
import type { OpenedSession } from "../session/sessions.ts";
import { FILE_AND_LINE, lettersOf, refuseUnlisted } from "../session/set-probes.ts";
import type { ObservedPoint } from "../observe/observers.ts";
import type { Point } from "../observe/point.ts";
import { placeOf } from "../observe/telling.ts";

type Spec = NonNullable<ObserveInput["from"]>[number];
/** The statement that an observation point belongs to, so that it can be set again. */
type Anchor = NonNullable<SetProbe["observed"]>["anchor"];

const PER_SECOND = 20;

/** Reads the points of a call, and those stored in a session. */
@injectable()
export class ObservationPoints {
  constructor(
    @inject(PROBED_FILES) private readonly probed: ProbedFiles,
    @inject(FILES) private readonly files: Files,
  ) {}

  /** The points of a call. @throws SkillError `USAGE`, `DEBUG_PROBE_PLACE`, `DEBUG_PROBE_INVALID`, `DEBUG_STEP` */
  async of(input: ObserveInput, opened: OpenedSession): Promise<readonly Point[]> {
    if (input.again === true) return this.#again(opened);
    const { root, entry } = opened;
    const { hypothesis, point, at } = input;
    const specs: readonly Spec[] = input.from ?? [
      { ...input, hypothesis: hypothesis ?? "", point: point ?? "", at: at ?? "" },
    ];
    const points: Point[] = [];
    for (const spec of specs) {
      const [, name, number] = FILE_AND_LINE.exec(spec.at) ?? [];
      if (name === undefined || spec.point === "" || spec.hypothesis === "")
        throw new SkillError("USAGE", "A point requires --hypothesis, --point and --at.", {
          hint: "Pass several points with --from FILE, or with --from - for standard input.",
        });
      refuseUnlisted(entry, spec.hypothesis);
      const { path, text } = await this.probed.read(root, name);
      const data = dataFields(spec.data ?? []);
      const lines = text.replace(/\n$/, "").split("\n").length;
      if (Number(number) > lines)
        throw new SkillError("DEBUG_PROBE_PLACE", `${quotedName(path)} has ${lines} lines.`);
      if (input.adapter !== undefined) await refuseChanges(languageOf(path, text), data, spec.allowCall);
      points.push({
        hypothesis: spec.hypothesis,
        name: spec.point,
        path,
        file: join(root, path),
        line: Number(number),
        data,
        ...(spec.when !== undefined && { when: spec.when }),
        allowCall: spec.allowCall === true,
        perSecond: spec.limit ?? input.limit ?? PER_SECOND,
        most: spec.most ?? input.most ?? MOST,
      });
    }
    return points;
  }

  /** The stored data of a point, to set it again. */
  async kept(one: ObservedPoint, points: readonly Point[]): Promise<SetProbe> {
    const { hypothesis, point, at } = one;
    const set = points.find(
      (wanted) => wanted.hypothesis === hypothesis && wanted.name === point && placeOf(wanted) === at,
    );
    const row = { hypothesis, point, at, language: "observed" };
    if (!set) return row;
    const { data, when, allowCall, perSecond, most, file, line } = set;
    const anchor = anchorOf((await this.files.readText(file)) ?? "", line);
    return {
      ...row,
      observed: { anchor, data, allowCall, perSecond, most, ...(when !== undefined && { when }) },
    };
  }

  /** The points of the session, each at the present place of its statement. @throws SkillError `DEBUG_PROBE_PLACE`, `DEBUG_STEP` */
  async #again({ root, entry }: OpenedSession): Promise<readonly Point[]> {
    const listed = new Set(entry.hypotheses.map(({ id }) => id));
    const points: Point[] = [];
    for (const { hypothesis, point: name, at = "", observed } of entry.probes) {
      const [, path = "", former] = FILE_AND_LINE.exec(at) ?? [];
      if (!observed || !lettersOf({ hypothesis }).some((letter) => listed.has(letter))) continue;
      const { anchor, ...spec } = observed;
      const { text } = await this.probed.read(root, path, root);
      const line = anchoredLine(text, anchor, Number(former));
      if (line === undefined)
        throw new SkillError(
          "DEBUG_PROBE_PLACE",
          `The statement of ${hypothesis}:${name} is no longer in ${quotedName(path)}: ${anchor.line}`,
          {
            hint: `Name another line for it with --at, or remove it: observe --remove ${hypothesis}:${name}.`,
          },
        );
      points.push({ hypothesis, name, path, file: join(root, path), line, ...spec });
    }
    if (points.length > 0) return points;
    throw new SkillError("USAGE", "The session has no observation point to set again.", {
      hint: "Name one with --hypothesis, --point, --data and --at.",
    });
  }
}

export const OBSERVATION_POINTS = token<ObservationPoints>("observation-points");

/** A line of a file without its indentation, with the nearest non-blank lines around it. */
function anchorOf(text: string, line: number): Anchor {
  const lines = text.split("\n").map((one) => one.trim());
  const isSaid = (one: string): boolean => one !== "";
  return {
    before: lines.slice(0, line - 1).findLast(isSaid) ?? "",
    line: lines[line - 1] ?? "",
    after: lines.slice(line).find(isSaid) ?? "",
  };
}

/**
 * The present line of a point's statement: among several lines with that text, the one between the same lines, then the
 * nearest one; `undefined` if there is none.
 */
function anchoredLine(text: string, wanted: Anchor, formerLine: number): number | undefined {
  const found = text.split("\n").flatMap((one, index) => {
    if (one.trim() !== wanted.line) return [];
    const { before, after } = anchorOf(text, index + 1);
    const same = Number(before === wanted.before) + Number(after === wanted.after);
    return [{ line: index + 1, same, far: Math.abs(index + 1 - formerLine) }];
  });
  return found.toSorted((one, other) => other.same - one.same || one.far - other.far)[0]?.line;
}
