import { join } from "node:path";
import type { Files } from "skillctl";
import type { DoctorInput } from "../contract.ts";
import { readEnvironmentText } from "../server/environment-file.ts";
import { foundAbove } from "../session-files.ts";
import type { Way } from "./way.ts";

/** What an instrumented program would know. */
export interface Target {
  /** The folder that the file was found in, or else the asked one. */
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
  const { session, url: given } = input;
  if (given !== undefined && !isAddress(given)) {
    way.breaks(
      "address",
      `"${given}" is no address to post to.`,
      "Give one such as http://127.0.0.1:7777/event.",
    );
    return undefined;
  }
  const name = `${session}.env`;
  const folder = (input.outdir === undefined && (await foundAbove(workingFolder, [name], files))) || asked;
  const path = join(folder, name);
  const text = await files.readText(path);
  if (text !== undefined) {
    const told = checkText(path, readEnvironmentText(text), session, way);
    if (given !== undefined && given !== told)
      way.holds("address", `Looked at instead is ${withoutKey(given)}.`);
    const url = given ?? told;
    return url === undefined ? undefined : { folder, url };
  }
  if (given !== undefined) return { folder, url: given };
  const start = `Start a server: skillctl run runtime-debug serve ${session} --detach`;
  way.breaks("environment file", `There is no ${path}, nor one in a folder above.`, start);
  return undefined;
}

/** The address in such a file, if there is one. */
function checkText(
  path: string,
  values: ReadonlyMap<string, string>,
  session: string,
  way: Way,
): string | undefined {
  const again = "Start the server again; it writes the file.";
  const url = values.get("DEBUG_SERVER_URL") ?? "";
  const named = values.get("DEBUG_SESSION_ID");
  if (!isAddress(url)) {
    way.breaks("environment file", `${path} names no address.`, again);
    return undefined;
  }
  if (named === session) way.holds("environment file", `${path} names ${withoutKey(url)}.`);
  else {
    const other = named === undefined ? "no session" : `the session ${named}`;
    way.breaks("environment file", `${path} names ${other}.`, again);
  }
  return url;
}

function isAddress(url: string): boolean {
  return /^https?:\/\//.test(url) && URL.canParse(url);
}

/** An address as it may be shown: keys stay in the files. */
export function withoutKey(url: string): string {
  return url.replace(/([?&]k=|\?(?=[^=&#]+(?:[&#]|$)))[^&#]*/g, "$1…");
}
