import { SkillError } from "skillctl";

const SHAPE = /^[a-z][a-z0-9]*(-[a-z][a-z0-9]*){1,3}$/;
const MAX_LENGTH = 64;
/** Names that some systems keep for devices, with any ending. */
const DEVICE = /^(con|prn|aux|nul|com[1-9]|lpt[1-9])$/;

/**
 * Answers an id that is safe as a part of file names: docs/runtime-debug.md, section Sessions. Nothing builds a path of
 * an id that has not come through here.
 * @throws SkillError `DEBUG_SESSION_INVALID`
 */
export function checkedSession(id: string): string {
  const fault = sessionFault(id);
  if (fault === undefined) return id;
  throw new SkillError("DEBUG_SESSION_INVALID", `The session id ${fault}.`, {
    hint: "Use 2 to 4 words of lower-case letters and digits with hyphens between them, such as login-timeout.",
  });
}

/** What is wrong with an id, to be put after "The session id"; `undefined` when nothing is. */
export function sessionFault(id: string): string | undefined {
  if (id.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (!SHAPE.test(id))
    return "is not 2 to 4 lower-case words, each a letter and then letters or digits, joined by hyphens";
  const device = id.split("-").find((word) => DEVICE.test(word));
  return device === undefined
    ? undefined
    : `holds the word "${device}", which some systems keep for a device`;
}
