import type { Subject } from "skillctl";
import type { KnownServer } from "../session/entry.ts";
import { expressionSteps, fitsSteps } from "./steps.ts";
import type { Objection } from "./verdict.ts";

type Programs = NonNullable<Subject["shell"]>["programs"];
type Ending = Pick<Objection, "decision" | "sentence">;

/**
 * Programs that would end the server of a session: by its process, by its port, or by a name that it has too. Whether a
 * number that nobody knows is its process is asked.
 */
export function endings(
  { shell }: Subject,
  server: KnownServer | undefined,
  session: string,
): readonly Ending[] {
  const programs = shell?.programs ?? [];
  return programs.flatMap(({ name, args }): readonly Ending[] => {
    const words = named(args);
    switch (name.replace(/\.exe$/i, "").toLowerCase()) {
      case "kill":
        return killed(args, words, server, programs);
      case "pkill":
      case "killall":
        return words.flatMap((word) => endedByName(word, name, session));
      case "taskkill":
        return args.some((word) => word === String(server?.pid) || /^node(?:\.exe)?$/i.test(word))
          ? [deny("taskkill would end")]
          : [];
      case "fuser":
        return args.some((word) => /^-\w*k/.test(word)) && namesPort(args, server)
          ? [deny("fuser would end")]
          : [];
      case "kill-port":
      case "fkill":
        return namesPort(args, server) ? [deny(`${name} would end`)] : [];
      default:
        return [];
    }
  });
}

/** The words without the signal: the first one with a hyphen is that, further ones are groups of processes. */
function named([first = "", ...rest]: readonly string[]): readonly string[] {
  if (/^(?:-s|-n|--signal)$/.test(first)) return named(rest.slice(1));
  if (/^-(?:[A-Z0-9]+|-signal=.*|-)$/.test(first)) return rest;
  if (/^-[a-z]/.test(first)) return named(rest);
  return first === "" ? rest : [first, ...rest.filter((word) => !/^-[a-z-]/.test(word))];
}

function killed(
  args: readonly string[],
  words: readonly string[],
  server: KnownServer | undefined,
  programs: Programs,
): readonly Ending[] {
  if (args.some((word) => /^-[lL0]$/.test(word))) return [];
  const isServer = (word: string): boolean => server !== undefined && Math.abs(Number(word)) === server.pid;
  if (words.some((word) => word === "-1" || isServer(word))) return [deny("kill would end")];
  if (words.length > 0 && words.every((word) => /^(?:-?\d+|%.*)$/.test(word))) return [];
  // Where the number comes from: `lsof -ti:3000`.
  const looks = programs
    .filter(({ name }) => /^(?:lsof|fuser|ss|netstat)$/.test(name))
    .flatMap((one) => one.args);
  if (namesPort(looks, server)) return [deny("kill would end")];
  if (looks.some((word) => /\d{2,5}$/.test(word))) return [];
  return [
    { decision: "ask", sentence: "Which process this ends cannot be seen: it may be the debug server." },
  ];
}

/** What a pattern of pkill or a name of killall would end, as far as that can be said of its words. */
function endedByName(pattern: string, name: string, session: string): readonly Ending[] {
  const line = `node skillctl run runtime-debug serve ${session} --detach`;
  const steps = pattern.split("|").map(expressionSteps);
  if (steps.some((each) => each && fitsSteps(each, line))) return [deny(`${name} would end`)];
  if (!steps.includes(undefined)) return [];
  return [
    { decision: "ask", sentence: "Which processes this ends cannot be seen: the debug server may be one." },
  ];
}

function namesPort(args: readonly string[], server: KnownServer | undefined): boolean {
  if (!server) return false;
  const { port } = new URL(server.url);
  return args.some((word) => word.replace(/\/(?:tcp|udp)$/, "").replace(/^.*:/, "") === port);
}

function deny(sentence: string): Ending {
  return { decision: "deny", sentence: `${sentence} the debug server.` };
}
