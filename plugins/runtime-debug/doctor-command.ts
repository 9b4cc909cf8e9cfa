import { ENVIRONMENT, FILES, HTTP, JOURNALS, inject, injectable } from "skillctl";
import type { Call, CommandHandler, Environment, Files, Http, Journals } from "skillctl";
import type { DoctorInput, DoctorOutput } from "./contract.ts";

/** Says which link of an event's way is broken. Loaded when it is asked. */
@injectable()
export class DoctorCommand implements CommandHandler<DoctorInput, DoctorOutput> {
  constructor(
    @inject(ENVIRONMENT) private readonly environment: Environment,
    @inject(FILES) private readonly files: Files,
    @inject(HTTP) private readonly http: Http,
    @inject(JOURNALS) private readonly journals: Journals,
  ) {}

  /** @throws SkillError `DEBUG_LINK_BROKEN` with the output as its result, `DEBUG_SESSION_INVALID`, `STORAGE_UNSAFE`. */
  async run(input: DoctorInput, call: Call): Promise<DoctorOutput> {
    const { Examination } = await import("./doctor/examination.ts");
    return new Examination(this.environment, this.files, this.http, this.journals).run(input, call);
  }
}
