/** Compares an answer with what must be true of it, and names each fault. */

/** A text, or several of which one is enough. */
type OneOf = string | readonly string[];

export interface Expectation {
  /** Figures, days and names that must occur in the answer. */
  readonly has?: readonly OneOf[];
  /** Figures that a misreading would show. */
  readonly hasNot?: readonly string[];
  /** Data rows of the table, where the question fixes how many. */
  readonly rows?: number;
  /** Names of the first rows of the table, in their order. */
  readonly order?: readonly OneOf[];
  /** No table row, none of the account's figures. */
  readonly declined?: true;
  /** Words that the sentence must name as not understood or not available. */
  readonly names?: readonly OneOf[];
  /** The whole reply, word for word, where the specification fixes it. */
  readonly fixed?: string;
}

export interface Question {
  readonly id: string;
  readonly family: string;
  readonly question: string;
  /** A question of English words and a Chinese title is English. */
  readonly language: "zh" | "en";
  readonly expected: Expectation;
}

/** The result of a question: a text to read, or an error. */
export interface Reply {
  readonly text: string;
  /** The code of the error: a refusal counts as an answer, not as an error. */
  readonly failed?: string;
}

const BEGINNINGS = { zh: ["理解为："], en: ["Understood as: "] };
const LEAD_IN = /^📊/u;
/** The specification fixes this line, in Chinese, below every answer about the account. */
const HINT_LINE = /^💡.*$/gmu;
const HAN = /\p{Script=Han}/u;

const listed = (value: OneOf): readonly string[] => (typeof value === "string" ? [value] : value);

/** Whether a text occurs as a whole: `1,234` is not in `11,234` nor in `1,234.5`. */
function stands(wanted: string, text: string): boolean {
  const literal = wanted.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const before = /^\d/.test(wanted) ? String.raw`(?<!\d)(?<!\d[,.])` : "";
  const after = /\d$/.test(wanted) ? String.raw`(?!\d)(?![,.]\d)` : "";
  return new RegExp(before + literal + after, "iu").test(text);
}

/** The data rows of each Markdown table, as cells without marks. */
function tables(text: string): readonly (readonly (readonly string[])[])[] {
  const found: (readonly string[])[][] = [];
  let open: (readonly string[])[] | undefined;
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (!line.startsWith("|")) open = undefined;
    else if (/^\|[\s:|-]+$/.test(line)) found.push((open = []));
    else if (open !== undefined) open.push(cells(line));
  }
  return found;
}

function cells(line: string): readonly string[] {
  return line
    .replaceAll(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.replaceAll(/[《》*`"“”]/g, "").trim());
}

function hasOrder(rows: readonly (readonly string[])[], order: readonly OneOf[]): boolean {
  return order.every((names, place) => rows[place]?.some((cell) => listed(names).includes(cell)) ?? false);
}

function tableFaults(text: string, { rows, order = [] }: Expectation): readonly string[] {
  if (rows === undefined && order.length === 0) return [];
  const ordered = tables(text).filter((table) => hasOrder(table, order));
  if (ordered.length === 0) return [`no table begins with ${order.map((one) => listed(one)[0]).join(", ")}`];
  if (rows === undefined || ordered.some((table) => table.length === rows)) return [];
  return [`${ordered.map((table) => table.length).join(" and ")} rows, not ${rows}`];
}

/** Larger than a number of songs or days, and no year. */
const isLarge = (value: number): boolean => value >= 100 && (value < 1900 || value > 2100);

/** Faults of a refusal: figures, rows, or an unknown word that it does not name. */
function refusalFaults(question: Question, { text }: Reply): readonly string[] {
  const faults: string[] = [];
  const bare = text.replaceAll(HINT_LINE, "").replaceAll(/\d{4}-\d{2}(?:-\d{2})?/g, "");
  const figures = (bare.match(/\d[\d,.]*%?/g) ?? []).filter(
    (found) => /,\d{3}|%|\.\d/.test(found) || isLarge(Number.parseInt(found, 10)),
  );
  const asked = question.question.replaceAll(/(?<=\d),(?=\d)/g, "");
  const own = figures.filter((found) => !asked.includes(found.replaceAll(",", "")));
  if (own.length > 0) faults.push(`shows ${own.slice(0, 3).join(" and ")}`);
  if (tables(text).some((table) => table.length > 0)) faults.push("shows a table");
  for (const names of question.expected.names ?? [])
    if (!listed(names).some((name) => text.toLowerCase().includes(name.toLowerCase())))
      faults.push(`does not name ${listed(names)[0]}`);
  return faults;
}

/** An English question is answered in English, but for titles, what it quotes and the fixed line. */
function languageFaults(question: Question, text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const start = lines[0] !== undefined && LEAD_IN.test(lines[0]) ? (lines[1] ?? "") : (lines[0] ?? "");
  const faults = BEGINNINGS[question.language].some((words) => start.startsWith(words))
    ? []
    : [`begins with ${JSON.stringify(start.slice(0, 30))}`];
  return [...faults, ...chineseFaults(question, text)];
}

const OWN_NAMES = /海盐|风筝|伴奏|夜に咲く|海边的晚上|の夜|地点/gu;

function chineseFaults(question: Question, text: string): readonly string[] {
  if (question.language !== "en") return [];
  const line = text
    .replaceAll(HINT_LINE, "")
    .replaceAll(OWN_NAMES, "")
    .split("\n")
    .find((one) => HAN.test(one));
  return line === undefined ? [] : [`answers English with ${JSON.stringify(line.slice(0, 30))}`];
}

function answerFaults(question: Question, { text }: Reply): readonly string[] {
  const { has = [], hasNot = [] } = question.expected;
  const lacks = has.filter((one) => !listed(one).some((wanted) => stands(wanted, text)));
  return [
    ...languageFaults(question, text),
    ...lacks.map((one) => `lacks ${listed(one)[0]}`),
    ...hasNot.filter((one) => stands(one, text)).map((one) => `shows ${one}`),
    ...tableFaults(text, question.expected),
  ];
}

/** Faults of a reply; none when it is right. */
export function faultsOf(question: Question, reply: Reply): readonly string[] {
  const { fixed, declined } = question.expected;
  if (reply.failed !== undefined) return [`ends with ${reply.failed}: ${reply.text}`];
  if (reply.text.trim() === "") return ["says nothing"];
  if (fixed !== undefined) return reply.text.trim() === fixed ? [] : ["is not the fixed line"];
  if (declined === true) return [...refusalFaults(question, reply), ...chineseFaults(question, reply.text)];
  return answerFaults(question, reply);
}
