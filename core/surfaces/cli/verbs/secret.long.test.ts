/** Secret settings in the key ring of GNOME, which runs on a separate message bus. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { PROGRAM } from "../../../../contract-tests/command-line.ts";
import { ownFolder, writeSkill } from "../fixture-command-line.ts";

const NEEDED = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];
const missing = NEEDED.filter((name) => spawnSync(name, ["--version"]).error);
const skip = missing.length > 0 && `not installed: ${missing.join(", ")}`;
const SECRET = "canary-9f8e7d6c";
const CODE = `import { config } from "skillctl";
class Greet {
  static inject = [config()];
  constructor({ apiKey }) { this.length = apiKey.length; }
  async run() { return { text: String(this.length) }; }
}
export default { commands: { greet: Greet } };
`;

/** The output of shell commands on a message bus with a key ring, in which `skillctl` hosts the skill weather. */
async function session(t: TestContext, start: string, commands: string): Promise<string> {
  const folder = await ownFolder(t);
  const [home, runtime] = [join(folder, "home"), join(folder, "runtime")];
  for (const one of [home, runtime]) await mkdir(one, { mode: 0o700 });
  const apiKey = { description: "The key.", type: "string", secret: true, minLength: 8, maxLength: 40 };
  const config = {
    type: "object",
    required: ["apiKey"],
    additionalProperties: false,
    properties: { apiKey },
  };
  const skill = await writeSkill(folder, "weather", {
    manifest: { config: "weather/config" },
    schemas: { config },
    code: CODE,
  });
  const ask = "secret-tool search service none 2>/dev/null";
  const ready =
    start && `${start} --foreground >/dev/null 2>&1 &\nfor i in $(seq 500); do ${ask} && break; done`;
  const run = `skillctl() { "${[process.execPath, ...PROGRAM].join('" "')}" "$@" 2>&1; }\n`;
  const { stdout } = spawnSync("dbus-run-session", ["--", "sh", "-c", `${ready}\n${run}${commands}`], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      XDG_RUNTIME_DIR: runtime,
      SKILLCTL_PLUGINS: skill,
    },
    timeout: 60_000,
  });
  return stdout;
}

test("a secret is stored, read by the skill and by other programs, and removed", { skip }, async (t) => {
  const start = "printf pw | gnome-keyring-daemon --unlock --components=secrets";
  const lookup = "secret-tool lookup service skillctl username weather/apiKey || echo none";
  const out = await session(
    t,
    start,
    `echo ${SECRET} | skillctl secret weather apiKey
skillctl secret weather
skillctl run weather Ada
${lookup}; echo
skillctl secret weather apiKey --remove
skillctl secret weather
${lookup}`,
  );
  assert.deepEqual(out.split("\n"), [
    "apiKey of weather is stored in the key ring.",
    "  apiKey  from the key ring",
    String(SECRET.length),
    SECRET,
    "apiKey of weather is removed from the key ring.",
    "  apiKey  not set: SKILLCTL_WEATHER_API_KEY, or skillctl secret weather apiKey",
    "none",
    "",
  ]);
});

test("a key ring that is locked or missing is reported, with the variable to set", { skip }, async (t) => {
  for (const start of ["gnome-keyring-daemon --start --components=secrets", ""]) {
    const commands = `echo ${SECRET} | skillctl secret weather apiKey\necho $?\nskillctl run weather Ada\necho $?\n`;
    const out = await session(t, start, commands);
    assert.match(
      out,
      /^error: The key ring cannot be used for apiKey of weather: [^\n]+\.\nhint: Set the environment variable SKILLCTL_WEATHER_API_KEY instead\.\n\d+\nerror: weather needs the secret apiKey, which is not set\.\nhint: Set SKILLCTL_WEATHER_API_KEY, .*\n78\n$/,
    );
    assert.doesNotMatch(out, new RegExp(SECRET));
  }
});
