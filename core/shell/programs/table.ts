import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";

/** What a program does with its words: a line of `follow.ts`, or a function. */
export type Conduct = string | ((scene: Scene) => void);

/** Programs and their conduct; a key may hold several names. */
export type Table = Readonly<Record<string, Conduct>>;

export function act(conduct: Conduct, scene: Scene): void {
  if (typeof conduct === "string") follow(conduct, scene);
  else conduct(scene);
}

/** The conduct of a program: the first key that holds its name. No map is made of all of them, since few are asked for in a run. */
export function conductOf(name: string, tables: readonly Table[]): Conduct | undefined {
  if (name === "" || name.includes(" ")) return undefined;
  for (const table of tables) {
    for (const key of Object.keys(table)) {
      if (key === name || (key.includes(name) && ` ${key} `.includes(` ${name} `))) return table[key];
    }
  }
  return undefined;
}
