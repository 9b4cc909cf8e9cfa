import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import { runHere } from "./started.ts";
import { subcommands } from "./subcommands.ts";
import type { Table } from "./table.ts";
import { wraps } from "./wrappers.ts";

/** Commands of gdb that look at a program, or have it go on. */
const LOOKS =
  /^(?:r|run|start|bt|backtrace|where|info|i|p|print|frame|f|up|down|thread|c|continue|b|break|tbreak|q|quit|l|list|x\/?\w*|disassemble|disas|display|step|s|next|n|finish|set (?:pagination|confirm|args|width|height|print)|show(?! env))(?:\s[^|!`()]*)?$/;

function gdb(scene: Scene): void {
  const { operands, all, has } = follow(
    "v | - ex: eval-command: x:x command:x iex:c init-eval-command:c ix:x init-command:x p: pid: args!v batch!v q!v quiet!v nx!v tty: d:r directory:r s:r symbols:r e:x exec:x c:r core:r core-file:r tui!v",
    scene,
  );
  const texts = all("ex", "eval-command");
  if (texts.some(({ text }) => text === undefined || !LOOKS.test(text))) scene.unknown("code");
  // Further commands are typed, or come by standard input.
  if (!has("batch") && (texts.length === 0 || scene.call.stdin.kind !== "none")) scene.unknown("code");
  operands.slice(0, 1).forEach((word) => scene.script(word));
}

const profiled = (scene: Scene): void => {
  const { operands } = follow(
    "v | + D:w output-dir:w o!v open!v P:s on-port:s name: collect-only!v visualize-only: title: F:",
    scene,
  );
  if (/^(?:node|nodejs)$/.test(operands[0]?.text ?? "")) runHere(scene, operands);
  else operands.slice(0, 1).forEach((word) => scene.script(word));
};

/** Debuggers and profilers. What they leave in the folder by themselves are new files of theirs. */
export const DEBUGGING: Table = {
  gdb,
  valgrind: wraps(
    "log-file:w xml-file:w massif-out-file:w callgrind-out-file:w cachegrind-out-file:w dhat-out-file:w suppressions:r tool: leak-check: db-command:s",
  ),
  perf: subcommands("", {
    "stat record trace": wraps(
      "o:w output:w e: event: p: pid: t: tid: F: freq: c: count: call-graph: r: repeat: pre:s post:s C: D: delay: input:r i:r",
    ),
    "report annotate diff list top evlist": "v | i:r input:r k:r vmlinux:r objdump:p addr2line:p s: sort:",
    "*": "!n v",
  }),
  clinic: subcommands("", {
    "doctor flame bubbleprof heapprofiler": wraps("dest:w D:w name: on-port:s autocannon: title:"),
    "*": "!n v",
  }),
  "0x": profiled,
  dlv: subcommands("log-dest:w init:x r: redirect: backend: build-flags:c headless!v", {
    "test debug trace version": "v | output:w init:x log-dest:w build-flags:c",
    exec: "x v | + init:x",
    "*": "!n v",
  }),
  "jps jstack jstat staticcheck": "v",
};
