import semverSatisfies from "semver/functions/satisfies.js";
import { VERSION } from "../version.ts";

/** Whether a version range such as ^0.1.0 includes this version of skillctl. An invalid range includes none. */
export function satisfies(range: string): boolean {
  return semverSatisfies(VERSION, range, { includePrerelease: true });
}
