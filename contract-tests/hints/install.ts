/** Hints of the installation of skills that name a command. */
import { appendFile, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { writeSkill } from "../../core/surfaces/cli/fixture-command-line.ts";
import { bare, makeFolder } from "./core.ts";
import type { HintRow, Say } from "./table.ts";

const FILE = "core/surfaces/cli/install/verbs.ts";
const YES = ["--yes"];

/** A folder with an installed skill, and the folder that it comes from. */
async function installed(t: TestContext, ...more: readonly string[]) {
  const { path, say } = await bare(t);
  const source = await makeFolder(path, "else");
  await writeSkill(source, "sample", { manifest: { version: "1.1.0" } });
  await say(["add", "./else/sample", ...YES, ...more]);
  return { path, say, source };
}

/** Runs a command line in a folder with an installed skill, after a change there. */
const shown =
  (
    words: readonly string[],
    change: (place: { readonly path: string; readonly source: string }) => Promise<unknown> = async () =>
      undefined,
    ...more: readonly string[]
  ): HintRow["shown"] =>
  async (t): Promise<readonly [string, Say]> => {
    const { say, ...place } = await installed(t, ...more);
    await change(place);
    const { out, err } = await say(words);
    return [out + err, say];
  };

export const INSTALL_HINTS: readonly HintRow[] = [
  {
    title: "an installation without a source",
    places: [`${FILE}: skillctl add`],
    shown: shown(["add"]),
    command: "skillctl add ",
    fill: { "./greeting": "./else/sample" },
    more: YES,
    ends: [0, /up to date/],
  },
  {
    title: "a lock that does not exist",
    places: [],
    shown: shown(["add", "--frozen", "--user"]),
    command: "skillctl add ",
    fill: { SOURCE: "./else/sample" },
    more: YES,
    ends: [0, /up to date/],
  },
  {
    title: "a removal without a name",
    places: [`${FILE}: skillctl verify`],
    shown: shown(["remove"]),
    command: "skillctl verify",
    ends: [0, /^sample 1\.1\.0 is as it was installed/],
  },
  {
    title: "an older version",
    places: [`${FILE}: skillctl remove`],
    shown: shown(["update", ...YES], ({ source }) => writeSkill(source, "sample")),
    command: "skillctl remove sample",
    more: YES,
    ends: [0, /sample is removed/],
  },
  {
    title: "a lock that differs from its source",
    places: [`${FILE}: skillctl update`],
    shown: shown(["add", "--frozen"], ({ source }) =>
      writeSkill(source, "sample", { manifest: { version: "1.2.0" } }),
    ),
    command: "skillctl update",
    more: YES,
    ends: [0, /sample 1\.2\.0 is installed/],
  },
  {
    title: "a skill whose name is taken",
    places: [`${FILE}: skillctl info`],
    shown: async (t) => {
      const { path, say } = await bare(t);
      const skill = await writeSkill(path, "sample");
      return [(await say(["add", "./sample", ...YES, "--plugin", skill])).err, say];
    },
    command: "skillctl --plugin ",
    ends: [0, /sample 1\.0\.0/],
  },
  ...["skillctl trust --list", "skillctl trust\n"].map((command): HintRow => ({
    title: `an installation next to untrusted contents, ${command.trim()}`,
    places: [`${FILE}: skillctl trust`],
    shown: async (t) => {
      const { path, say } = await bare(t);
      const other = await writeSkill(path, "other");
      await writeSkill(path, "sample");
      await writeFile(join(path, "skillctl.json"), JSON.stringify({ plugins: [other] }));
      return [(await say(["add", "./sample", ...YES])).out, say];
    },
    command,
    ends: [0, /other/],
  })),
  ...[
    ["core/adapters/trust-records.ts", "list"],
    ["core/adapters/trust-records.ts", "run", "sample"],
  ].map(([file = "", ...words]): HintRow => ({
    title: `installed skills that are missing, ${words[0]}`,
    places: [`${file}: skillctl add`],
    shown: shown(words, ({ path }) => rm(join(path, ".skillctl"), { recursive: true })),
    command: "skillctl add --frozen",
    more: YES,
    ends: [0, /sample 1\.1\.0 is installed/],
  })),
  {
    title: "a skill of the person that has changed",
    places: ["core/surfaces/cli/invocation.ts: skillctl trust"],
    shown: shown(
      ["list"],
      async ({ path }) => {
        const root = join(path, "state", "user", ".skillctl", "skills");
        const [digest = ""] = await readdir(root);
        await appendFile(join(root, digest, "sample", "plugin.js"), "\n");
      },
      "--user",
    ),
    command: "skillctl trust /",
    ends: [0, /is trusted as it is now/],
  },
];
