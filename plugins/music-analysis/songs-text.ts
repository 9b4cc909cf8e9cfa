import type { SongsOutput } from "./contract.ts";
import { withSongName } from "./songs/marks.ts";
import { text } from "./texts.ts";

type Facts = Pick<SongsOutput, "source" | "ageSeconds" | "focus" | "questionsToday">;

/** What a person is shown of known songs: a numbered list, where it comes from and how old it is, the song in focus. */
export function songsText(songs: SongsOutput["songs"], facts: Facts): string {
  const list = songs.map(({ name }, place) => `${place + 1}. ${marked(name)}`);
  const { source, ageSeconds = 0, focus, questionsToday } = facts;
  const origin = source === "overall" ? "an overall answer" : "other answers about the account";
  const notes = [
    ...(source ? [`From ${origin}, ${age(ageSeconds)}.`] : []),
    ...(focus ? [`In focus: ${marked(focus.name)}.`] : []),
    ...(questionsToday ? [`Questions used today: ${questionsToday.used} of ${questionsToday.of}.`] : []),
  ];
  const whole = [list.length === 0 ? text("no-songs") : list.join("\n"), notes.join("\n")];
  return whole.filter((part) => part !== "").join("\n\n");
}

function marked(name: string): string {
  return withSongName("《{NAME}》", "{NAME}", name);
}

function age(seconds: number): string {
  if (seconds < 60) return "less than a minute old";
  const unit = seconds < 3600 ? "minute" : "hour";
  const whole = Math.floor(seconds / (unit === "minute" ? 60 : 3600));
  return `${whole} ${unit}${whole === 1 ? "" : "s"} old`;
}
