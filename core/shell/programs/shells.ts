import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";

/** A shell: text behind `-c`, a script file (whoever asks reads it), or standard input. */
function shell(scene: Scene): void {
  const { operands, has } = follow("v | + c!v o: O: rcfile:x init-file:x i!v s!v", scene);
  const [first] = operands;
  if (has("c")) {
    if (first === undefined) scene.unknown("code");
    else scene.shell(first);
  } else if (first === undefined || has("s") || first.text === "-" || first.text === "/dev/stdin") {
    const { stdin } = scene.call;
    if (stdin.kind === "text") scene.shell({ text: stdin.text });
    else if (!has("version", "help")) scene.unknown("code");
  } else scene.script(first);
}

export const SHELLS: Table = {
  "bash sh dash zsh ksh mksh ash rbash yash": shell,
  "fish nu pwsh powershell cmd csh tcsh elvish xonsh": "!c v",
};
