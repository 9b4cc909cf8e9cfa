import { join } from "node:path";
import { writeGreeting } from "./greeting.ts";
import { ratioRow, type Bench } from "./row.ts";
import { FLOOR, PROGRAM, interleaved, temporaryPlace, type Subject } from "./whole-process.ts";

const LIMIT = 1.5;

/** The whole way of a command: schemas, rules, container, the skill's code, output. */
export const bench: Bench = {
  name: "trivial-command",
  describe: "A whole process that runs a command which does next to nothing.",
  run: async () => {
    const place = temporaryPlace();
    try {
      const skills = join(place.folder, "skills");
      writeGreeting(skills);
      const subjects: readonly Subject[] = [
        FLOOR,
        {
          label: "skillctl run login-proxy status (in the box)",
          words: [PROGRAM, "run", "login-proxy", "status"],
          isRight: ({ out }) => out.startsWith("No login token") && out.includes(place.home),
        },
        {
          label: "skillctl run greeting Ada (foreign, plain JavaScript)",
          words: [PROGRAM, "run", "greeting", "Ada", "--plugin", skills],
          isRight: ({ out }) => out === "Hello, Ada.\n",
        },
      ];
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
