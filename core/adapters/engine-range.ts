import semverSatisfies from "semver/functions/satisfies.js";
import { VERSION } from "../version.ts";

/** Whether a version range such as ^0.1.0 takes in this version of skillctl. A range that is none takes in nothing. */
export function satisfies(range: string): boolean {
  return semverSatisfies(VERSION, range, { includePrerelease: true });
}
