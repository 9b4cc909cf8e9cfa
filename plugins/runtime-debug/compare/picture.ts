import { dirname, resolve } from "node:path";
import { SkillError, type Files } from "skillctl";
import { withRoom, type ComparisonResult, type ProbeRow } from "./rows.ts";
import { element, fitted, xmlText } from "./svg-text.ts";
import { duration, events } from "./text.ts";

/** What tells a picture of ours from other files. */
export const SIGN = 'data-made-by="skillctl compare"';

const WIDTH = 960;
const MARGIN = 24;
const MOST_ROWS = 20;
const MOST_FIELDS = 2;
const LINE = 18;
/** What has room beside the bars, and what has over the whole width, in letters of usual width. */
const LABEL = 34;
const WHOLE = 116;

/** A part of the picture, and how high it is. */
interface Part {
  readonly height: number;
  readonly draw: (y: number) => string;
}

/**
 * A comparison as a picture: SVG, without scripts and without anything that is loaded. One line of two small charts a
 * probe, under its hypothesis; at most 20 probes.
 */
export function picture(result: ComparisonResult): string {
  const { session, probes } = result;
  const shown = withRoom(probes, MOST_ROWS);
  const left = probes.length - shown.length + result.more;
  const parts = [
    heading(result),
    ...byHypothesis(result, shown),
    axis(result),
    ...(left > 0 ? [plain(`and ${left.toLocaleString("en")} more`)] : []),
  ];
  let y = MARGIN;
  const drawn = parts.map(({ height, draw }) => {
    const text = draw(y);
    y += height;
    return text;
  });
  const height = y + MARGIN / 2;
  const frame = `xmlns="http://www.w3.org/2000/svg" ${SIGN} role="img" aria-labelledby="title desc"`;
  // Where there is less room it shrinks as a whole.
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" style="max-width:100%;height:auto"`;
  return `${[
    `<svg ${frame} ${size}>`,
    element("title", { id: "title" }, xmlText(`${session}: ${summary(result)}`)),
    element("desc", { id: "desc" }, xmlText(shown.map(spoken).join(" "))),
    `<style>${STYLE}</style>`,
    element("rect", { class: "page", width: WIDTH, height }),
    ...drawn,
    "</svg>",
  ].join("\n")}\n`;
}

function summary({ before, after, events: counts }: ComparisonResult): string {
  const first = `${before ?? ""} (${events(counts.before)})`;
  return after === null ? `${first}, no fix yet` : `${first} and ${after} (${events(counts.after)})`;
}

function spoken({ hypothesis, probe, before, after }: ProbeRow): string {
  const name = hypothesis === "" ? probe : `${hypothesis} ${probe}`;
  return `${fitted(name, WHOLE)}: ${before} before, ${after} after.`;
}

function heading(result: ComparisonResult): Part {
  const columns = PANELS.map(({ side, x }) => {
    const run = result[side];
    const time = result.timeline.find((one) => one.run === run);
    const said = run === null ? "no fix yet" : events(result.events[side]);
    const lasts = time && result.events[side] > 1 ? ` in ${duration(time.lastsMs)}` : "";
    return (y: number) =>
      label("strong " + side, x, y + 44, fitted(run ?? "after", 40)) + label("soft", x, y + 62, said + lasts);
  });
  return {
    height: 78,
    draw: (y) =>
      label("title", MARGIN, y + 14, fitted(result.session, 80)) +
      label("soft", MARGIN, y + 44, "Events of each probe over time") +
      columns.map((column) => column(y)).join(""),
  };
}

/** The probes of each hypothesis under its text; then those of none. */
function byHypothesis({ hypotheses, after }: ComparisonResult, rows: readonly ProbeRow[]): readonly Part[] {
  const known = hypotheses.map(({ id }) => id).filter((id) => rows.some((row) => row.hypothesis === id));
  const names = new Set([...known, ...rows.map(({ hypothesis }) => hypothesis)]);
  return [...names].flatMap((name) => {
    const one = hypotheses.find(({ id }) => id === name);
    const text = one?.text ?? (name === "" ? "events of no hypothesis" : "");
    return [
      title(name, text, one?.verdict ?? ""),
      ...rows.filter(({ hypothesis }) => hypothesis === name).map((row) => probe(row, after !== null)),
    ];
  });
}

function title(name: string, text: string, verdict: string): Part {
  return {
    height: 34,
    draw: (y) =>
      element("rect", {
        class: "band",
        x: MARGIN - 8,
        y,
        width: WIDTH - 2 * MARGIN + 16,
        height: 26,
        rx: 4,
      }) +
      element(
        "text",
        { x: MARGIN, y: y + 18 },
        element("tspan", { class: "strong" }, xmlText(fitted(name, LABEL))),
        xmlText(`  ${fitted(text, 96)}`),
      ) +
      label("soft end", WIDTH - MARGIN, y + 18, verdict),
  };
}

function probe(row: ProbeRow, isFixed: boolean): Part {
  const fields = row.changed.slice(0, MOST_FIELDS).map(({ field, before, after }) => {
    const list = (values: readonly string[]): string => values.join(", ") || "-";
    return `${field}: ${list(before)} → ${list(after)}`;
  });
  const left = row.changed.length - fields.length + (row.moreChanged ?? 0);
  const lines = left > 0 ? [...fields, `… and ${left} more fields`] : fields;
  return {
    height: BARS + 16 + lines.length * LINE + (lines.length > 0 ? 6 : 0),
    draw: (y) =>
      [
        label("strong", MARGIN, y + 13, fitted(row.probe, LABEL)),
        label("soft", MARGIN, y + BARS, fitted(row.location ?? "", LABEL)),
        ...PANELS.map((panel) => bars(row, panel, y, panel.side === "before" || isFixed)),
        ...lines.map((line, at) =>
          label("code", MARGIN + 12, y + BARS + 18 + at * LINE, fitted(line, WHOLE)),
        ),
      ].join(""),
  };
}

/** From the first event of each run on. */
function axis({ timeline }: ComparisonResult): Part {
  const [one] = timeline;
  if (!one) return plain("No events.");
  const total = duration(one.pieceMs * one.counts.length);
  return {
    height: 24,
    draw: (y) =>
      PANELS.map(
        ({ x, width }) => label("soft", x, y + 10, "0") + label("soft end", x + width, y + 10, total),
      ).join("") + label("soft", MARGIN, y + 10, "time from the first event of the run"),
  };
}

function plain(text: string): Part {
  return { height: 24, draw: (y) => label("soft", MARGIN, y + 12, text) };
}

function label(style: string, x: number, y: number, text: string): string {
  return text === "" ? "" : element("text", { class: style, x, y }, xmlText(text));
}

/** Height of the bars, in pixels. */
const BARS = 30;
const LEAST = 2;

/** Where the bars of a run stand. */
interface Panel {
  readonly side: "before" | "after";
  readonly x: number;
  readonly width: number;
}

const PANELS: readonly [Panel, Panel] = [
  { side: "before", x: 300, width: 250 },
  { side: "after", x: 630, width: 250 },
];

/** The bars of one probe in one run, and how many events that is. Both runs of a probe have one scale. */
function bars(row: ProbeRow, { side, x, width }: Panel, y: number, isRun: boolean): string {
  const counts = row.counts[side];
  const foot = y + BARS;
  const events = row[side];
  const label = element(
    "text",
    { class: events > 0 ? `strong ${side}` : "soft", x: x + width + 8, y: foot },
    events > 0 ? events.toLocaleString("en") : isRun ? "not hit" : "–",
  );
  const line = { x1: x, y1: foot + 0.5, x2: x + width, y2: foot + 0.5 };
  if (events === 0) return element("line", { ...line, class: "none" }) + label;
  const most = Math.max(1, ...row.counts.before, ...row.counts.after);
  const step = width / counts.length;
  // A bar is no wider than it can be compared with the others.
  const wide = Math.min(Math.max(1, step - 1), 14);
  const shapes = counts.flatMap((count, at) => {
    if (count === 0) return [];
    const height = Math.max(LEAST, (count / most) * BARS);
    return [element("rect", { x: x + at * step, y: foot - height, width: wide, height, rx: 1 })];
  });
  return element("line", { ...line, class: "axis" }) + element("g", { class: side }, ...shapes) + label;
}

/** Colours and letters of the picture, for light and dark surroundings; the two runs differ for colour-blind eyes too. */
const STYLE = `
svg{--page:#fff;--ink:#1f2328;--soft:#59636e;--line:#d1d9e0;--before:#c2620a;--after:#0f6cbd;--band:#f6f8fa}
@media (prefers-color-scheme:dark){svg{--page:#0d1117;--ink:#e6edf3;--soft:#9198a1;--line:#3d444d;--before:#f0a04b;--after:#58a6ff;--band:#151b23}}
text{font-family:system-ui,-apple-system,"Segoe UI","Noto Sans","DejaVu Sans",sans-serif;font-size:13px;fill:var(--ink)}
.page{fill:var(--page)}.band{fill:var(--band)}
.title{font-size:18px;font-weight:600}.strong{font-weight:600}
.soft{fill:var(--soft);font-size:12px}
.code{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:12px}
.end{text-anchor:end}
.before{fill:var(--before)}.after{fill:var(--after)}
.axis{stroke:var(--line);stroke-width:1}.none{stroke:var(--soft);stroke-width:1;stroke-dasharray:2 4}
`;

/**
 * Writes a picture to a file of that name, from a folder on, and answers its path.
 * @throws SkillError `USAGE` when its folder is missing or something else than a picture of this command is there; `FILE_UNREADABLE`, `FILE_UNWRITABLE`
 */
export async function writePicture(files: Files, folder: string, name: string, svg: string): Promise<string> {
  const path = resolve(folder, name);
  const folderOf = dirname(path);
  const real = await files.realPath(folderOf);
  if (real === undefined || (await files.facts(real))?.kind !== "folder")
    throw new SkillError("USAGE", `There is no folder ${folderOf} for the picture.`, {
      file: path,
      hint: "Make it first, or name a file in another folder with --svg.",
    });
  await refuseOther(files, path);
  await files.replace(path, svg);
  return path;
}

async function refuseOther(files: Files, path: string): Promise<void> {
  const facts = await files.facts(path);
  if (!facts) return;
  const isOurs = facts.kind === "file" && (await files.readText(path))?.slice(0, 200).includes(SIGN);
  if (isOurs) return;
  throw new SkillError("USAGE", `${path} is there already and is no picture of compare.`, {
    file: path,
    hint: "Name another file with --svg, or remove that one.",
  });
}
