import { languageOf } from "../probes/languages.ts";

/** What a server and its session write into `.dbg`: docs/debug-session.md, Files. */
const OWN =
  /^(?:\.gitignore|\..*\.skillctl-new|(?:svc|trae)-debug-[a-z]+-.+|[a-z0-9-]+\.(?:env|server\.json|serve\.log))$/;
/** Notes and outputs, which no program runs. */
const PLAIN = /\.(?:txt|md|log|out|pid)$/i;

/** Whether a file of this name in `.dbg` is the server's or its session's, or one that no program runs. */
export function belongsIntoLogFolder(name: string): boolean {
  return (OWN.test(name) && languageOf(name) === undefined) || PLAIN.test(name);
}

/** Whether a path from the project folder lies in a folder called `.dbg`. */
export function isInLogFolder(path: string): boolean {
  return path.split("/").slice(0, -1).includes(FOLDER);
}

/** Whether such a path may be there: in the project's own folder of logs, or as a file of one session in another. */
export function isLogFolderFile(path: string, session: string): boolean {
  const words = path.split("/");
  const name = words.at(-1) ?? "";
  if (words.indexOf(FOLDER) !== words.length - 2 || !belongsIntoLogFolder(name)) return false;
  return words.length === 2 || name === ".gitignore" || name.includes(session);
}

const FOLDER = ".dbg";
