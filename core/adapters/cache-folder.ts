import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

/**
 * Where caches of skillctl live, absolute; everything in it may be deleted at any time. `SKILLCTL_CACHE` names it;
 * else it is `skillctl` in XDG_CACHE_HOME, on Windows in LOCALAPPDATA, or in ~/.cache.
 */
export function cacheFolder(
  variables: Readonly<Record<string, string | undefined>>,
  workingFolder: string,
  platform: NodeJS.Platform = process.platform,
): string {
  const named = variables["SKILLCTL_CACHE"];
  if (named) return resolve(workingFolder, named);
  const base = variables["XDG_CACHE_HOME"];
  if (base && isAbsolute(base)) return join(base, "skillctl");
  const local = variables["LOCALAPPDATA"];
  if (platform === "win32" && local) return join(local, "skillctl", "cache");
  return join(variables["HOME"] || variables["USERPROFILE"] || homedir(), ".cache", "skillctl");
}
