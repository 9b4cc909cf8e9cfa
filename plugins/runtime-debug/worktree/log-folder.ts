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
