import { SkillError } from "skillctl";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * The origin of the service out of `SVC_BASE_URL`: a trailing `/` and a trailing `/openapi` are taken off;
 * https, except on loopback (docs/music-analysis.md, Replies).
 * @throws SkillError `CONFIG_INVALID`
 */
export function serviceOrigin(value: string): string {
  const fail = (sentence: string): never => {
    throw new SkillError("CONFIG_INVALID", `SVC_BASE_URL ${sentence}.`, {
      hint: "Set it to the origin of the service, for example https://music.example.",
    });
  };
  let url: URL;
  try {
    url = new URL(value);
  } catch {
    return fail("is not an address");
  }
  if (url.username !== "" || url.password !== "") return fail("must hold no user or password");
  if (url.search !== "" || url.hash !== "" || !/^\/?(openapi\/?)?$/.test(url.pathname)) {
    return fail("must be an origin, without path or query");
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && LOOPBACK.test(url.hostname)))
    return url.origin;
  return fail("must begin with https:// unless it is on this machine");
}
