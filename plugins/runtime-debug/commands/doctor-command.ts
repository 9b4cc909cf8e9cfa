import {
  ENVIRONMENT,
  FILES,
  HTTP,
  JOURNALS,
  SkillError,
  inject,
  injectable,
  isLoopbackAddress,
} from "skillctl";
import type { Call, CommandHandler, Environment, Files, Http, Journals, NetworkAddress } from "skillctl";
import type { DoctorInput, DoctorOutput } from "../contract.ts";
import { SESSIONS, type Sessions } from "../session/sessions.ts";

/** Reports which link in the path of an event is broken. Loaded on demand. */
@injectable()
export class DoctorCommand implements CommandHandler<DoctorInput, DoctorOutput> {
  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(JOURNALS) private readonly journals: Journals,
    @inject(SESSIONS) private readonly sessions: Sessions,
  ) {}

  /**
   * @throws SkillError `DEBUG_LINK_BROKEN` with the output as its result, `DEBUG_SESSION_INVALID`, `STORAGE_UNSAFE`;
   * `USAGE` for a request over HTTP to send an event to another machine.
   */
  async run(input: DoctorInput, call: Call): Promise<DoctorOutput> {
    const own = this.environment.addresses();
    const away = (["url", "page"] as const).find((key) => !isHere(input[key] ?? ".", own));
    if (call.surface === "http" && away)
      throw new SkillError("USAGE", "Over HTTP the doctor queries only addresses of this machine.", {
        pointer: `/${away}`,
        hint: `Name an address of this machine, or use the command line: skillctl run runtime-debug doctor ${input.session}`,
      });
    const { Doctor } = await import("../server/doctor.ts");
    const { environment, files, http, journals } = this;
    const ports = { environment, files, http, journals };
    const target = input.pid ?? input.inspect;
    const observe = target === undefined ? undefined : await this.#observe(target);
    const opened = await this.sessions.find(input.session);
    const build = async (log: string): Promise<readonly [string, string] | undefined> => {
      const { oldBuild } = await import("../cleanup/built-files.ts");
      return opened && oldBuild(opened.root, opened.entry.probes, log, files);
    };
    return new Doctor(input, call.signal, ports).run(observe, build);
  }

  /** Which of the two ways works for a program: observing it while it runs, or probes in its code. */
  async #observe(target: number | string): Promise<string> {
    const { observable } = await import("../observe/processes.ts");
    try {
      return await observable(target, this.files, this.http);
    } catch (caught) {
      if (!(caught instanceof SkillError)) throw caught;
      return `It cannot be observed: ${caught.message} Set probes in its code instead.`;
    }
  }
}

/** The doctor itself reports an invalid address. */
function isHere(url: string, own: readonly NetworkAddress[]): boolean {
  if (!URL.canParse(url)) return true;
  const { hostname } = new URL(url);
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  return isLoopbackAddress(hostname) || own.some(({ address }) => address === host);
}
