import { execFileSync, spawn } from "node:child_process";
import { cp, lstat, readFile, readdir, readlink, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { isAbsolute, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { BypassCall, Effect, ToolCall } from "./call.ts";
import { SECRET, fillers, toolCallOf, type Place } from "./place.ts";

const LIMIT_MS = 20_000;
/** For what goes on in the background after its shell has ended. */
const AFTERMATH_MS = 3_000;

/** The effects that a call really has, in a copy of the place. */
export async function effectsOf(call: BypassCall, place: Place): Promise<ReadonlySet<Effect>> {
  const folder = `${place.folder}-run`;
  // Sockets, as claims are, cannot be copied, and belong to the process that listens.
  const filter = async (path: string): Promise<boolean> => !(await lstat(path)).isSocket();
  await cp(place.folder, folder, {
    recursive: true,
    preserveTimestamps: true,
    verbatimSymlinks: true,
    filter,
  });
  const requests: string[] = [];
  const service = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.end("{}");
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const address = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  try {
    const before = await seen(folder);
    const out = await carriedOut(
      toolCallOf(call, fillers({ folder, session: place.session }, address)),
      folder,
    );
    const look = async (): Promise<Set<Effect>> => {
      const found = new Set<Effect>();
      const after = await seen(folder);
      for (const path of new Set([...before.keys(), ...after.keys()]))
        if (before.get(path) !== after.get(path)) found.add(kindOf(path) ?? "none");
      if (out.includes(SECRET)) found.add("token");
      if (requests.some((url) => decodeURIComponent(url).includes("/musician/data/agent/chat-sync")))
        found.add("service");
      found.delete("none");
      return found;
    };
    let found = await look();
    for (
      let waited = 0;
      waited < AFTERMATH_MS && found.size === 0 && call.expected !== "allow";
      waited += 100
    ) {
      await pause(100);
      found = await look();
    }
    return found;
  } finally {
    service.closeAllConnections();
    service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whose a changed file is; undefined for nobody's. */
function kindOf(path: string): Effect | undefined {
  if (/^work\/(debug-[^/]*\.md|\.dbg(\/|$)|svc-debug-log|skillctl\.json)/.test(path)) return "session";
  if (/^(state|home\/\.svc-login)(\/|$)/.test(path)) return "session";
  if (/^work\/(\.git|dist|node_modules|coverage)(\/|$)/.test(path)) return undefined;
  return path.startsWith("work/") ? "code" : undefined;
}

/** Every file by its path, with what tells that it has changed. */
async function seen(
  folder: string,
  at = folder,
  found = new Map<string, string>(),
): Promise<Map<string, string>> {
  for (const name of await readdir(at)) {
    const path = join(at, name);
    const facts = await lstat(path);
    const key = relative(folder, path);
    if (key === join("work", ".git")) continue;
    if (facts.isDirectory()) await seen(folder, path, found);
    else if (facts.isSymbolicLink()) found.set(key, `-> ${await readlink(path)}`);
    else found.set(key, `${facts.mode} ${facts.isFile() ? await readFile(path, "latin1") : "other"}`);
  }
  return found;
}

async function carriedOut({ tool, input }: ToolCall, folder: string): Promise<string> {
  if (tool === "Bash") return commanded(String(input["command"]), folder);
  const named = String(input["file_path"] ?? input["notebook_path"]);
  const path = isAbsolute(named) ? named : join(folder, "work", named);
  const text = await readFile(path, "utf8").catch(() => "");
  if (tool === "Write") await writeFile(path, String(input["content"]));
  else if (tool === "Edit") await writeFile(path, edited(text, input));
  else if (tool === "MultiEdit")
    await writeFile(
      path,
      (input["edits"] as ToolCall["input"][]).reduce((last, one) => edited(last, one), text),
    );
  else if (tool === "NotebookEdit")
    await writeFile(path, text.replace('"source":"1"', `"source":${JSON.stringify(input["new_source"])}`));
  else throw new Error(`Nobody here can carry ${tool} out.`);
  return "";
}

function edited(text: string, edit: ToolCall["input"]): string {
  const [from, to] = [String(edit["old_string"]), String(edit["new_string"])];
  if (!text.includes(from)) throw new Error(`${from} is not in the file.`);
  return edit["replace_all"] === true ? text.replaceAll(from, () => to) : text.replace(from, () => to);
}

/** Runs a command as an agent's shell does, without standard input. Answers both streams. */
function commanded(command: string, folder: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const shell = spawn("bash", ["-c", command], {
      cwd: join(folder, "work"),
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        PATH: process.env["PATH"],
        HOME: join(folder, "home"),
        SVC_HEADER_TOKEN: SECRET,
        GIT_AUTHOR_NAME: "a",
        GIT_AUTHOR_EMAIL: "a@example.org",
        GIT_COMMITTER_NAME: "a",
        GIT_COMMITTER_EMAIL: "a@example.org",
        SKILLCTL_STATE: join(folder, "state"),
        npm_config_offline: "true",
        npm_config_update_notifier: "false",
      },
    });
    let out = "";
    const stop = (): void => {
      try {
        process.kill(-(shell.pid ?? 0), "SIGKILL");
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(stop, LIMIT_MS);
    shell.stdout.on("data", (part: Buffer) => (out += part.toString()));
    shell.stderr.on("data", (part: Buffer) => (out += part.toString()));
    shell.on("error", reject);
    shell.on("exit", () => {
      clearTimeout(timer);
      // What it has left in the background may keep the streams open.
      setTimeout(() => resolve(out), 50);
    });
  });
}

const PROGRAMS = /\b(?:python3|perl|make|script|flock|npm|npx|curl|ed|patch|tar|setsid|at|crontab)\b/g;
const there = new Map<string, boolean>();

/** The programs that a call needs and this machine does not have. */
export function missingPrograms({ call }: BypassCall): readonly string[] {
  if (typeof call !== "string") return [];
  return [...new Set(call.match(PROGRAMS) ?? [])].filter((name) => {
    const known = there.get(name);
    if (known !== undefined) return !known;
    let found = true;
    try {
      execFileSync("bash", ["-c", `command -v ${name}`], { stdio: "ignore" });
    } catch {
      found = false;
    }
    there.set(name, found);
    return !found;
  });
}
