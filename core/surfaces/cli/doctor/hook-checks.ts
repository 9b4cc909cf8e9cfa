import { SkillError } from "../../../errors/skill-error.ts";
import type { Environment } from "../../../ports/environment.ts";
import type { Files } from "../../../ports/files.ts";
import { CLIENTS } from "../../hook/install/clients.ts";
import { placesOf } from "../../hook/install/place.ts";
import { statusOf } from "../../hook/install/status.ts";
import { changedProgram } from "../hooks/program-note.ts";
import { fail, ok, warn, type Check } from "./check.ts";

/** The hooks of agents, here and in the home: whether they can work, and which agents fail open. */
export async function hookChecks(environment: Environment, files: Files): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const client of CLIENTS) {
    const seen = new Set<string>();
    for (const scope of ["project", "user"] as const) {
      try {
        for (const place of await placesOf(client, scope, { environment, files })) {
          if (seen.has(place.target)) continue;
          seen.add(place.target);
          const { installed, faults, late, file } = await statusOf(place, { environment, files });
          if (installed === "no" && faults.length === 0) continue;
          const [fault] = faults;
          const again = `skillctl hooks install --client ${client.name} --scope ${scope}`;
          if (fault !== undefined) checks.push(fail(`${client.title} hooks in ${file}: ${fault}`, again));
          else if (late === "denied") checks.push(ok(`${client.title} hooks in ${file}`));
          else
            checks.push(
              warn(
                `${client.title} hooks in ${file}: this host fails open when a hook is late; what tools change is still checked`,
                "skillctl hooks status",
              ),
            );
        }
      } catch (caught) {
        if (!(caught instanceof SkillError)) throw caught;
        checks.push(warn(`${client.title} hooks: ${caught.message}`, caught.hint ?? "Mend the file"));
      }
    }
  }
  const program = checks.length > 0 ? await changedProgram({ environment, files }) : undefined;
  if (program !== undefined) checks.push(fail(program, "skillctl hooks install, when that was you"));
  return checks.length > 0
    ? checks
    : [ok("No agent has hooks of skillctl here (skillctl hooks install --client NAME)")];
}
