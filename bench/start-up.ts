import { readFileSync } from "node:fs";
import { ratioRow, type Bench } from "./row.ts";
import { FLOOR, PROGRAM, interleaved, temporaryPlace, type Subject } from "./whole-process.ts";

const LIMIT = 1.15;
const PACKAGE = new URL("../package.json", import.meta.url);
const BOX = ["login-proxy", "music-analysis", "music-gateway"];

/** What a person waits for most often: the program's words without a skill's code. */
export const bench: Bench = {
  name: "start-up",
  describe: "A whole process that loads no skill's code.",
  run: async () => {
    const { version } = JSON.parse(readFileSync(PACKAGE, "utf8")) as { readonly version: string };
    const subjects: readonly Subject[] = [
      FLOOR,
      {
        label: "skillctl --version",
        words: [PROGRAM, "--version"],
        isRight: ({ out }) => out === `${version}\n`,
      },
      {
        label: "skillctl --help",
        words: [PROGRAM, "--help"],
        isRight: ({ out }) => out.includes(`skillctl ${version}`) && out.includes("Usage: skillctl VERB"),
      },
      {
        label: "skillctl list",
        words: [PROGRAM, "list"],
        isRight: ({ out }) => BOX.every((name) => out.includes(name)),
      },
    ];
    const place = temporaryPlace();
    try {
      const [bases = [], ...all] = await interleaved(subjects, place);
      return all.map((candidates, index) =>
        ratioRow({
          subject: subjects[index + 1]?.label ?? "",
          base: FLOOR.label,
          unit: "ms",
          bases,
          candidates,
          limit: LIMIT,
        }),
      );
    } finally {
      place.remove();
    }
  },
};
