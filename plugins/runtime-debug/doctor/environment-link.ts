import { dirname, join } from "node:path";
import type { Files } from "skillctl";
import type { DoctorInput } from "../contract.ts";
import { readEnvironmentText } from "../server/environment-file.ts";
import { DEFAULT_FOLDER } from "../session-files.ts";
import type { Way } from "./way.ts";

/** What an instrumented program would know. */
export interface Target {
  /** The folder that the file was found in; the asked one when the address was given by hand. */
  readonly folder: string;
  /** Where it posts to. */
  readonly url: string;
}

/**
 * The environment file the way probes look for it: in the named folder, or in `.dbg` of the working folder and of each
 * above it. An address that was given is used in place of the one in the file.
 * @throws SkillError `FILE_UNREADABLE`
 */
export async function findTarget(
  input: DoctorInput,
  asked: string,
  workingFolder: string,
  files: Files,
  way: Way,
): Promise<Target | undefined> {
  const name = `${input.session}.env`;
  const folder = input.outdir === undefined ? await foundAbove(workingFolder, name, files) : asked;
  const path = join(folder ?? asked, name);
  const text = await files.readText(path);
  if (text === undefined) {
    if (input.url !== undefined) return { folder: asked, url: input.url };
    way.breaks(
      "environment file",
      `There is no ${path}, nor one in a folder above.`,
      `Start a server: skillctl run runtime-debug serve ${input.session} --detach`,
    );
    return undefined;
  }
  const values = readEnvironmentText(text);
  const url = input.url ?? values.get("DEBUG_SERVER_URL") ?? "";
  const session = values.get("DEBUG_SESSION_ID");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    way.breaks(
      "environment file",
      `${path} names no address.`,
      "Start the server again; it writes the file.",
    );
    return undefined;
  }
  if (session === input.session) way.holds("environment file", `${path} names ${withoutKey(url)}.`);
  else {
    const named = session === undefined ? "no session" : `the session ${session}`;
    way.breaks("environment file", `${path} names ${named}.`, "Start the server again; it writes the file.");
  }
  return { folder: dirname(path), url };
}

async function foundAbove(start: string, name: string, files: Files): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const place = join(folder, DEFAULT_FOLDER);
    if ((await files.facts(join(place, name)))?.kind === "file") return place;
    if (dirname(folder) === folder) return undefined;
  }
}

/** An address as it may be shown: keys stay in the files. */
export function withoutKey(url: string): string {
  return url.replace(/([?&]k=)[^&#]*/g, "$1…");
}
