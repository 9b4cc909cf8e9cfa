import { statusIn } from "./status.ts";

/** What any record says of its session, whoever has written it. */
export interface ReadRecord {
  /** In upper case, such as OPEN, FIXED, CLOSED. */
  readonly status?: string;
  /** Its first heading, without a status or what says that it is a record. */
  readonly title?: string;
  readonly issue?: string;
  readonly hypotheses: readonly { readonly id: string; readonly text: string }[];
}

const HEADING = /^#{1,3}\s+(.+?)\s*#*\s*$/m;
/** What stands in front of the name in a heading. */
const KIND =
  /^(?:debug(?:ging)?[ -]?(?:session|record|log)?|sess(?:ão|ion|ión|ao) de (?:debug|depura\S+)|sesión de depuración|调试(?:会话|记录)?|調試(?:會話|記錄)?)\s*[:：-]\s*/i;
const ISSUE =
  /^[\s>|*-]*(?:issue|problem|bug|symptom|问题|問題|症状|problema|sintoma|síntoma|problème)s?[\s*_]*[:：|][\s*_`]*(.+?)[\s*_`|]*$/im;
/** `| A | text |`, `- **A**: text`, `### H1: text`, `1. H2 - text`, `- 假设 A：text`. */
const IN_TABLE = /^\|\s*\**(H?\d{1,2}|[A-P])\**\s*\|\s*(.+?)\s*(?:\||$)/;
const IN_LIST =
  /^(?:[-*]|\d+[.)]|#{2,4})\s+(?:\[.\]\s*)?\**(?:(?:hypothesis|hipótese|hipótesis|hypothèse|假设|假設)\s*)?(H?\d{1,2}|[A-P])\**\s*(?:[:：)]|[-–—.]\s)\s*\**\s*(.+)$/i;

export function readRecordText(text: string): ReadRecord {
  const status = statusIn(text);
  const title = titleIn(text);
  const issue = ISSUE.exec(text)?.[1];
  return {
    ...(status !== undefined && { status }),
    ...(title !== undefined && { title }),
    ...(issue !== undefined && { issue }),
    hypotheses: hypothesesIn(text),
  };
}

function titleIn(text: string): string | undefined {
  const heading = HEADING.exec(text)?.[1];
  const title = heading
    ?.replaceAll(/\[[A-Za-z]+\]/g, "")
    .trim()
    .replace(KIND, "")
    .replaceAll(/[`*]/g, "")
    .trim();
  return title === "" ? undefined : title;
}

function hypothesesIn(text: string): ReadRecord["hypotheses"] {
  const found = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    const [, id, said] = IN_TABLE.exec(line) ?? IN_LIST.exec(line) ?? [];
    if (id === undefined || said === undefined) continue;
    const name = id.toUpperCase();
    if (!found.has(name)) found.set(name, said.replaceAll(/\*\*|`/g, "").trim());
  }
  return [...found].map(([id, said]) => ({ id, text: said }));
}
