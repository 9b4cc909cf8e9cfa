import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import { GIT_COMMANDS } from "./git-commands.ts";
import { setting } from "./git-config.ts";
import type { Scene } from "./scene.ts";
import { act, conductOf } from "./table.ts";

const GLOBAL =
  "v | + C:d c: git-dir: work-tree: namespace: exec-path::c config-env:c super-prefix: attr-source: list-cmds:";

/** git: its settings on the command line, then what the subcommand does. */
export function git(scene: Scene): void {
  const line = follow(GLOBAL, scene);
  for (const word of line.all("c")) {
    const [, name, value] = /^([^=]+)=?([^]*)$/.exec(word.text ?? word.known ?? "") ?? [];
    if (name === undefined) scene.unknown("code");
    else setting(name, word.text === undefined ? { text: undefined } : { text: value ?? "" }, scene);
  }
  const tree = line.all("work-tree")[0];
  if (line.has("git-dir")) elsewhere(line.all("git-dir")[0], scene);
  if (tree !== undefined) scene.change(tree);
  const [name, ...args] = line.operands;
  if (name === undefined) return;
  const conduct = name.text === undefined ? undefined : conductOf(name.text, [GIT_COMMANDS]);
  scene.args = args;
  act(conduct ?? (name.text === undefined ? "!cw v" : "!n v"), scene);
}

/** A repository's settings can name programs: those of one that is not the folder's own are not known. */
function elsewhere(folder: Word | undefined, scene: Scene): void {
  if (folder?.text === undefined || !/(?:^|\/)\.git\/?$/.test(folder.text)) scene.unknown("code");
}
