import { SkillError } from "skillctl";
import type { Call, Environment, Files, Http, Journals } from "skillctl";
import type { DoctorInput, DoctorOutput } from "../contract.ts";
import { WSL_NOTE, candidates } from "./candidates.ts";
import { findTarget, withoutKey } from "./environment-link.ts";
import { checkArrival, checkPage, checkPreflight, postEvent } from "./event-links.ts";
import { checkServer, knownOf, type Known } from "./server-links.ts";
import { Way } from "./way.ts";
import { askedFolder, sessionFiles } from "../session-files.ts";
import { checkedSession } from "../session-id.ts";

/** Silence of a program proves nothing yet. */
const ARRIVES =
  "An event arrives. Of a program that hangs, is killed or exits by itself only probes with --sync are sure to.";

/** Sends an event the way an instrumented program would, and says which link of its way is broken. */
export class Examination {
  constructor(
    private readonly environment: Environment,
    private readonly files: Files,
    private readonly http: Http,
    private readonly journals: Journals,
  ) {}

  /** @throws SkillError `DEBUG_LINK_BROKEN` with the output as its result, `DEBUG_SESSION_INVALID`, `STORAGE_UNSAFE`. */
  async run(input: DoctorInput, { signal }: Call): Promise<DoctorOutput> {
    const session = checkedSession(input.session);
    const way = new Way();
    const known = await this.#walk({ ...input, session }, way, signal);
    const addresses =
      known?.record && known.isAlive ? [...candidates(known.record, this.environment.addresses())] : [];
    const output = { ok: way.isWhole, links: way.links, addresses };
    const told = { ...output, text: textOf(output) };
    const { broken } = way;
    if (!broken) return told;
    throw new SkillError("DEBUG_LINK_BROKEN", `An event does not arrive: ${broken.sentence}`, {
      hint: broken.hint,
      result: told,
    });
  }

  /** Looks at one link after the other, until one is broken that the next depend on. */
  async #walk(input: DoctorInput, way: Way, signal: AbortSignal): Promise<Known | undefined> {
    const { session, origin } = input;
    const { environment, files, http } = this;
    const asked = askedFolder(input.outdir, environment);
    const target = await findTarget(input, asked, environment.workingFolder, files, way);
    if (!target) return undefined;
    const { folder, url } = target;
    const known = await knownOf(session, folder, files, http, signal);
    if (!(await checkServer(url, known, http, way, signal))) return known;
    if (origin !== undefined) {
      const isOrigin = checkPage(url, origin, way);
      if (!isOrigin || !(await checkPreflight(url, origin, http, way, signal))) return known;
    }
    const mark = await postEvent(url, session, origin, http, way, signal);
    if (mark !== undefined) await checkArrival(sessionFiles(folder, session).log, mark, this.journals, way);
    return known;
  }
}

function textOf({ ok, links, addresses }: Omit<DoctorOutput, "text">): string {
  const lines = links.flatMap((link) => [
    `${link.ok ? "ok     " : "BROKEN "} ${link.link}: ${link.sentence}`,
    ...(link.hint === undefined ? [] : [`         ${link.hint}`]),
  ]);
  const where = addresses.flatMap(({ url, for: who, listens, hint }) => [
    `${listens ? "yes" : "no "}  ${withoutKey(url)}  ${who}`,
    ...(hint === undefined ? [] : [`       ${hint}`]),
  ]);
  const list =
    where.length === 0
      ? []
      : ["", "Addresses, and whether the server takes events there now:", ...where, WSL_NOTE];
  return [...lines, ...list, "", ok ? ARRIVES : "An event does not arrive."].join("\n");
}
