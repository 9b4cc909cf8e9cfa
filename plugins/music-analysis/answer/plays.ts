const UNITS: ReadonlyMap<string, number> = new Map([
  ["", 1],
  ["k", 1e3],
  ["千", 1e3],
  ["w", 1e4],
  ["万", 1e4],
  ["萬", 1e4],
  ["m", 1e6],
  ["百万", 1e6],
  ["千万", 1e7],
  ["亿", 1e8],
  ["億", 1e8],
  ["b", 1e9],
]);
const NUMBER = "([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\\.[0-9]+)?\\s?(百万|千万|千|万|萬|亿|億|[kwmb](?![a-z]))?";
const WHOLE = new RegExp(
  `^(?:约|近|超过|超|[~≈>])?\\s?${NUMBER}\\s?\\+?\\s?(?:次播放|次|plays|streams)?$`,
  "u",
);
const LABELLED = new RegExp(
  `(?:(?:播放量|播放次数|播放数|播放|plays|streams)[\\s:=为达到共约近超(]{0,6}${NUMBER}(?![0-9.,]*[%％0-9])|${NUMBER}\\s?\\+?\\s?(?:次播放|次的播放|plays|streams|播放(?![量次数])))`,
  "u",
);

/**
 * A number of plays as a cell writes it: `12,345`, `1.2万`, `3.4亿`, `12.3k`, `1.2M` (docs/music-analysis.md, Reading songs).
 * Shares, changes and anything else are none.
 */
export function parsePlays(text: string): number | undefined {
  return value(WHOLE.exec(levelled(text))?.slice(1));
}

/** The first number of plays that a sentence names as such. */
export function playsIn(text: string): number | undefined {
  const groups = LABELLED.exec(levelled(text))?.slice(1);
  return groups === undefined ? undefined : value(groups[0] === undefined ? groups.slice(3) : groups);
}

function levelled(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim();
}

function value(groups: readonly (string | undefined)[] | undefined): number | undefined {
  if (groups === undefined) return undefined;
  const [whole = "", fraction = "", unit = ""] = groups;
  const plays = Math.round(Number(whole.replaceAll(",", "") + fraction) * (UNITS.get(unit) ?? Number.NaN));
  return Number.isFinite(plays) ? plays : undefined;
}
