import type { Reader } from "./reader.ts";
import { Variables, type ShellState } from "./shell-state.ts";

/**
 * Reads the text of a trap where the shell is now, and where it may be later. From here on it may have run at any time: what
 * it sets is not known any more.
 * @param last it runs when nothing comes behind it
 */
export function trapRead(text: string, last: boolean, reader: Reader, state: ShellState): void {
  const later = state.clone();
  later.forget();
  const changed = new Set(state.variables.unsteady);
  for (const then of [state.clone(), later]) {
    // A value of its own for each name: another object there has been given by the trap.
    for (const [name, variable] of then.variables) then.variables.set(name, { ...variable });
    then.traps = [];
    const before = then.clone();
    reader.deeper(() => reader.text(text, then));
    for (const [name, variable] of then.variables)
      if (before.variables.raw(name) !== variable) changed.add(name);
    for (const [name, bodies] of then.functions)
      if (before.functions.get(name) !== bodies)
        state.functions.set(name, [...new Set([...(state.functions.get(name) ?? [undefined]), ...bodies])]);
    for (const [name, alias] of then.aliases) state.aliases.set(name, alias);
    for (const name of then.exported) state.exported.add(name);
    state.oddWords ||= then.oddWords;
    const moved = then.cwds !== before.cwds || then.positional !== before.positional;
    if (moved && !last) reader.facts.unknown("code");
  }
  state.variables = new Variables(state.variables, changed);
}
