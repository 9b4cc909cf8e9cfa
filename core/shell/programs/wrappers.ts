import { joined, runHere } from "./started.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Conduct, Table } from "./table.ts";
import { environment } from "./variables.ts";

/** A program that starts what stands behind its options and `skip` further words. */
export function wraps(options: string, skip = 0): (scene: Scene) => void {
  return (scene) => {
    const words = follow(`v | + ${options}`, scene).operands.slice(skip);
    while (words[0] !== undefined && /^\w+=/.test(words[0].text ?? words[0].known ?? ""))
      environment(words.shift(), scene);
    runHere(scene, words);
  };
}

/** Like `wraps`, but its words are one text for a shell. */
function tells(options: string, skip = 0): (scene: Scene) => void {
  return (scene) => {
    const { operands } = follow(`v | + ${options}`, scene);
    const words = operands.slice(skip);
    if (words.length > 0) scene.shell(joined(words));
  };
}

const env: Conduct = (scene) => {
  const line = follow(
    "v | + u: unset: C:d chdir:d S: split-string: a: argv0: P: block-signal:: default-signal::",
    scene,
  );
  const words = [...line.operands];
  if (words[0]?.text === "-") words.shift();
  while (words[0] !== undefined && /^\w+=/.test(words[0].text ?? words[0].known ?? ""))
    environment(words.shift(), scene);
  for (const text of line.all("S", "split-string")) scene.shell(joined([text, ...words], true));
  if (line.has("S", "split-string")) return;
  if (words.length === 0) scene.use(undefined);
  runHere(scene, words);
};

const flock: Conduct = (scene) => {
  const { operands } = follow("w v | + c:s command:s w: timeout: E: conflict-exit-code:", scene);
  const [, first, text] = operands;
  if (/^(?:-c|--command)$/.test(first?.text ?? "") && text !== undefined) scene.shell(text);
  else runHere(scene, operands.slice(1));
};

/** Programs whose words are a program with its words. */
export const WRAPPERS: Table = {
  env,
  flock,
  "sudo doas pkexec": wraps(
    "u: g: h: p: C: c: r: t: T: U: D:d chdir:d user: group: host: prompt: role: type: other-user: e!w edit!w s!c shell!c i!c login!c",
  ),
  "nohup setsid builtin time gtime chronic unbuffer caffeinate busybox toybox catchsegv eatmydata firejail":
    wraps("o:w output:w f: format: w: t:"),
  "nice ionice chrt": wraps("n: adjustment: c: class: p: pid: classdata:"),
  "timeout gtimeout": wraps("s: signal: k: kill-after:", 1),
  stdbuf: wraps("i: o: e: input: output: error:"),
  "strace ltrace": wraps(
    "o:w output:w e: p: s: u: E:a env:a trace: P: S: a: I: O: b: X: output-separately!w",
  ),
  "taskset numactl": wraps("c!v", 1),
  "unshare nsenter bwrap chroot fakeroot proot": "!c !w v",
  watch: tells("n: interval: d:: differences::"),
  eval: tells(""),
  entr: wraps("s!c"),
  "watchexec nodemon": (scene) => {
    const line = follow(
      "v | + e: exts: ext: w: watch: i: ignore: x:s exec:s f: filter: d: delay: delay-ms: s: signal: shell:c",
      scene,
    );
    if (line.has("x", "exec")) return;
    if (scene.call.name === "nodemon") line.operands.slice(0, 1).forEach((word) => scene.script(word));
    else runHere(scene, line.operands);
  },
  "concurrently hyperfine": (scene) => {
    const { operands } = follow(
      "v | n: names: c: prefix-colors: k!v w: warmup: r: runs: m: min-runs: M: prepare:s p:s setup:s s:s cleanup:s export-json:w export-markdown:w L!c parameter-list!c S:c shell:c",
      scene,
    );
    for (const word of operands) scene.shell(word);
  },
  "cross-env dotenv dotenvx env-cmd": (scene) => {
    const words = [...follow("v | + e:r f:r file:r", scene).operands];
    while (words[0] !== undefined && /^\w+=/.test(words[0].text ?? words[0].known ?? ""))
      environment(words.shift(), scene);
    if (words[0]?.text === "run") words.shift();
    runHere(scene, words[0]?.text === "--" ? words.slice(1) : words);
  },
  command: (scene) => {
    const { operands, has } = follow("v | +", scene);
    if (!has("v", "V")) runHere(scene, operands);
  },
  exec: wraps("a:"),
  "su runuser": (scene) => {
    const { has } = follow("v | c:s command:s session-command:s s: shell: u: g: group:", scene);
    if (!has("c", "command", "session-command")) scene.unknown("code");
  },
};
