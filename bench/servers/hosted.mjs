/** The same greeting as a command of a foreign skill, beside the skills in the box. */
import { createHost, serveHttp } from "skillctl/host";
import { builtinSkills } from "skillctl/skills";
import { answerUsage } from "./usage.mjs";

const host = await createHost({ skills: builtinSkills(), plugins: [process.argv[2]] });
if (host.catalog.faults.length > 0) throw new Error(JSON.stringify(host.catalog.faults));
const server = await serveHttp(host);
answerUsage(`${server.url}/v1/skills/greeting/commands/greet`, async () => {
  await server.close();
  await host.close();
});
