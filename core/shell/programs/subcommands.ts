import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";
import { act, conductOf } from "./table.ts";

/** A program whose first operand says what it does. `*` stands for every other one, without it what that does is not known. */
export function subcommands(options: string, table: Table): (scene: Scene) => void {
  return (scene) => {
    const { operands } = follow(`v | + ${options}`, scene);
    const [name, ...args] = operands;
    if (name === undefined) return;
    const conduct = name.text === undefined ? undefined : conductOf(name.text, [table]);
    scene.args = args;
    act(conduct ?? table["*"] ?? "!n v", scene);
  };
}
