import type { SongEntry } from "./mapping.ts";
import { withSongName } from "./marks.ts";

/** What the question of tier B is made of. */
export interface ConfirmationParts {
  /** The manifest's text, with `{USER_SONG_NAME}` and `{CANDIDATES}`. */
  readonly template: string;
  /** The name of the first question, with marks or without. */
  readonly songName: string;
  /** Tier B's candidates, in order. */
  readonly candidates: readonly SongEntry[];
}

const SONG_NAME = "{USER_SONG_NAME}";
const CANDIDATES = "{CANDIDATES}";

/**
 * The question of tier B: the fixed text with a numbered line for each candidate, names as found, in title marks
 * (spec music-analysis, States and transitions 3; docs/music-analysis.md, Confirmation). A version note is added only where names
 * are the same (Rulings).
 */
export function confirmationText({ template, songName, candidates }: ConfirmationParts): string {
  const lines = candidates.map((candidate, place) => `${place + 1}. ${shown(candidate, candidates)}`);
  return template
    .split(CANDIDATES)
    .map((part) => withSongName(part, SONG_NAME, songName))
    .join(lines.join("\n"));
}

function shown(candidate: SongEntry, candidates: readonly SongEntry[]): string {
  const name = withSongName("《{NAME}》", "{NAME}", candidate.name);
  const same = candidates.filter(({ key }) => key === candidate.key).length > 1;
  return same && candidate.version !== undefined ? `${name}（${candidate.version}）` : name;
}
