import { join } from "node:path";
import { FILES, LOG, SkillError, inject, injectable, token, type Files, type Log } from "skillctl";
import { readRecord } from "../server/server-files.ts";
import { DEFAULT_FOLDER, refuseOther, sessionFiles } from "../session-files.ts";
import type { KnownServer, SessionEntry, Hypothesis } from "./entry.ts";
import { evidenceLines } from "./hypotheses.ts";
import { merged, statusIn } from "./record-text.ts";

/** A record is a page of text; anything longer is something else, in bytes. */
const MOST_BYTES = 1024 * 1024;

/** The record of a session in its project: `debug-<id>.md`. */
@injectable()
export class RecordFile {
  constructor(
    @inject(FILES) private readonly files: Files,
    @inject(LOG) private readonly log: Log,
  ) {}

  path(root: string, id: string): string {
    return join(root, `debug-${id}.md`);
  }

  /**
   * Shows the entry in the record, keeps what people have written, and answers the text as tools have written it. A
   * record that is gone is written again.
   * @throws SkillError `STORAGE_UNSAFE` for a link or a file of others, `FILE_UNREADABLE` for what is no text of at most
   * 1 MiB, `FILE_UNWRITABLE`
   */
  async write(root: string, entry: SessionEntry): Promise<string> {
    const path = this.path(root, entry.id);
    const mine = recordText(entry, await this.#address(root, entry.id));
    await refuseOther(path, "file", this.files);
    const facts = await this.files.facts(path);
    if (!facts) {
      this.log.notice(`The record ${path} was gone; it is written again.`);
      await this.files.replace(path, mine);
      return mine;
    }
    if (facts.bytes > MOST_BYTES) throw noRecord(path, "is over 1 MiB long");
    const there = await this.#text(path);
    const text = withLineEnds(there, merged(entry.recordText, mine, plain(there)));
    if (text !== there) await this.files.replace(path, text, facts.mode ?? 0o600);
    return mine;
  }

  /** The server that the files of the session name. @throws SkillError `STORAGE_UNSAFE`, `FILE_UNREADABLE` */
  async server(root: string, id: string): Promise<KnownServer | undefined> {
    const record = await readRecord(sessionFiles(join(root, DEFAULT_FOLDER), id).record, this.files);
    if (record?.session !== id) return undefined;
    const { url, pid, instance } = record;
    return { url, pid, instance };
  }

  /** Why no session is known, where a record says that one is under way. @throws SkillError `FILE_UNREADABLE` */
  async lost(root: string): Promise<SkillError | undefined> {
    for (const { name } of await recordsIn(root, this.files)) {
      const text = await recordAt(join(root, name), this.files);
      if (text !== undefined && statusIn(text) === "OPEN")
        return new SkillError(
          "DEBUG_NO_SESSION",
          `No session is known in ${root}, though ${name} says [OPEN].`,
          {
            hint: "What was kept of it is lost, or another user began it: `skillctl run runtime-debug status` says more.",
          },
        );
    }
    return undefined;
  }

  async #address(root: string, id: string): Promise<string | undefined> {
    const record = await readRecord(sessionFiles(join(root, DEFAULT_FOLDER), id).record, this.files);
    // Without its key: the record is for everybody who sees the project.
    return record?.eventUrl.replace(/\?.*$/s, "");
  }

  async #text(path: string): Promise<string> {
    const bytes = (await this.files.readBytes(path)) ?? new Uint8Array();
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      if (!text.includes("\0")) return text;
    } catch (caught) {
      if (!(caught instanceof TypeError)) throw caught;
      // Written back, what is no UTF-8 would be something else: refused below.
    }
    throw noRecord(path, "is no text in UTF-8");
  }
}

export const RECORD_FILE = token<RecordFile>("record-file");

/** The text as tools write it: without a mark at its beginning, with LF. */
function plain(text: string): string {
  return text.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
}

/** The new text with the mark and the line ends of the one that is there, as editors have left them. */
function withLineEnds(there: string, text: string): string {
  const marked = there.startsWith("\uFEFF") ? `\uFEFF${text}` : text;
  return /\r\n/.test(there) && !/(?<!\r)\n/.test(there) ? marked.replaceAll("\n", "\r\n") : marked;
}

function noRecord(path: string, what: string): SkillError {
  return new SkillError("FILE_UNREADABLE", `${path} ${what}, so it is no record of a session.`, {
    file: path,
    hint: "Move it away: the record is then written again.",
  });
}

/** The text of what may be somebody else's record; `undefined` for what is no plain file of at most 1 MiB to read. */
export async function recordAt(path: string, files: Files): Promise<string | undefined> {
  const facts = await files.facts(path);
  if (facts?.kind !== "file" || facts.bytes > MOST_BYTES) return undefined;
  try {
    return await files.readText(path);
  } catch (caught) {
    // Not for this user: then it is no record of his.
    if (caught instanceof SkillError) return undefined;
    throw caught;
  }
}

/** The records in a project: their session ids with their names. */
export async function recordsIn(
  root: string,
  files: Files,
): Promise<readonly { readonly id: string; readonly name: string }[]> {
  return ((await files.list(root)) ?? []).flatMap((name) => {
    const [, id] = /^debug-([a-z0-9-]+)\.md$/.exec(name) ?? [];
    return id === undefined ? [] : [{ id, name }];
  });
}

const STATUS = { fixed: "FIXED", aborted: "ABORTED" } as const;

const NONE_YET = "None yet.";

/**
 * The record as Markdown (specification of runtime debugging, "Resources and their fields"): names of headings and items as
 * public records have them, so that others can read it. `server` is the address of its server, once there is one, without
 * a key.
 */
export function recordText(entry: Omit<SessionEntry, "baseline" | "recordText">, server?: string): string {
  const { id, outcome, issue, steps, hypotheses, rounds = [], conclusion, iterations, drift } = entry;
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ["Symptoms", symptoms(entry)],
    ["Reproduction Steps", steps.map((step, index) => `${index + 1}. ${oneLine(step)}`)],
    ["Hypotheses & Verification", table(hypotheses)],
    ...(rounds.length === 0 ? [] : [["Earlier Hypotheses", earlierTable(rounds)] as const]),
    ["Log Evidence", evidenceLines(hypotheses).map((line) => `- ${oneLine(line)}`)],
    // Indented, so that no line of collected text can pass for a heading of the record.
    ["Verification Conclusion", conclusion === "" ? [] : [conclusion.replaceAll(/^(?=[^\n])/gm, "    ")]],
    ...(iterations.length === 0
      ? []
      : [["Iterations", iterations.map((one, index) => `${index + 1}. ${oneLine(one)}`)] as const]),
    ...(drift === undefined ? [] : [["Undone and Kept", drift.map((one) => `- ${oneLine(one)}`)] as const]),
  ];
  const head = [
    `# Debug Session: ${id}`,
    "",
    `- **Status**: [${outcome ? STATUS[outcome] : "OPEN"}]`,
    `- **Issue**: ${oneLine(issue)}`,
    `- **Debug Server**: ${server ?? "not started"}`,
    `- **Log File**: ${DEFAULT_FOLDER}/svc-debug-log-${id}.ndjson`,
  ];
  const parts = sections.map(([heading, lines]) =>
    [`## ${heading}`, "", ...(lines.length === 0 ? [NONE_YET] : lines)].join("\n"),
  );
  return `${[head.join("\n"), ...parts].join("\n\n")}\n`;
}

type Symptoms = Pick<SessionEntry, "expected" | "actual" | "environment" | "impact" | "notes">;

function symptoms({ expected, actual, environment, impact, notes = [] }: Symptoms): readonly string[] {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ["Expected", expected],
    ["Actual", actual],
    ["Environment", environment],
    ["Impact", impact],
    ...notes.map((note) => ["Note", note] as const),
  ];
  return rows.flatMap(([name, text]) => (text === undefined ? [] : [`- ${name}: ${oneLine(text)}`]));
}

function table(hypotheses: readonly Hypothesis[]): readonly string[] {
  if (hypotheses.length === 0) return [];
  const rows = hypotheses.map(({ id, text, likelihood, effort, verdict, lines }) =>
    row([id, text, capital(likelihood), capital(effort), [capital(verdict), ...lines].join(" ")]),
  );
  return [
    row(["ID", "Hypothesis", "Likelihood", "Effort", "Evidence"]),
    "|---|---|---|---|---|",
    ...rows,
    "",
    ...hypotheses.map(
      ({ id, observe, refutedBy }) =>
        `- ${id} is seen at ${oneLine(observe)}, refuted by: ${oneLine(refutedBy)}`,
    ),
  ];
}

function earlierTable(rounds: NonNullable<SessionEntry["rounds"]>): readonly string[] {
  const rows = rounds.flatMap(({ run, hypotheses }) =>
    hypotheses.map(({ id, text, verdict, lines }) =>
      row([id, text, run, [capital(verdict), ...lines].join(" ")]),
    ),
  );
  return [row(["ID", "Hypothesis", "Run", "Evidence"]), "|---|---|---|---|", ...rows];
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => oneLine(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

/** A line break would end an item, a row or a heading. */
function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n\u2028\u2029\u0085\v\f]+\s*/g, " ").trim();
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
