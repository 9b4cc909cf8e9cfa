import { cancelled } from "./stdin.ts";
import type { Terminal } from "./verb.ts";

/** What is made of what was typed: a value, the wish to leave, or nothing yet. */
export type Taken<T> = { readonly value: T } | "cancelled" | undefined;

/**
 * Reads a keyboard key by key until `take` has what it wants; `begin` is called once nothing typed is shown. Ctrl-C is handed on to the terminal. The keyboard is left
 * as it was found, whatever happens.
 * @throws SkillError `CANCELLED`, and what `take` throws
 */
export async function typed<T>(
  keyboard: NodeJS.ReadStream,
  terminal: Terminal,
  take: (text: string) => Taken<T>,
  begin: () => void,
): Promise<T> {
  if (terminal.signal.aborted) throw cancelled();
  keyboard.setRawMode(true);
  try {
    begin();
    return await taken(keyboard, terminal, take);
  } finally {
    keyboard.setRawMode(false);
  }
}

async function taken<T>(
  keyboard: NodeJS.ReadStream,
  terminal: Terminal,
  take: (text: string) => Taken<T>,
): Promise<T> {
  const decoder = new TextDecoder();
  let release = (): void => undefined;
  const value = new Promise<T>((resolve, reject) => {
    const leave = (): void => reject(cancelled());
    const keys = (chunk: Uint8Array): void => {
      try {
        const one = take(decoder.decode(chunk, { stream: true }));
        if (one === "cancelled") {
          leave();
          terminal.interrupt?.();
        } else if (one) resolve(one.value);
      } catch (caught) {
        reject(caught);
      }
    };
    keyboard.on("data", keys).on("end", leave).on("error", leave).resume();
    terminal.signal.addEventListener("abort", leave);
    release = () => {
      keyboard.off("data", keys).off("end", leave).off("error", leave).pause();
      terminal.signal.removeEventListener("abort", leave);
    };
  });
  try {
    return await value;
  } finally {
    release();
  }
}

/** Pastes are marked, so that a line end in one is no Enter. */
export const PASTES_ARE_MARKED = "\u001B[?2004h";
export const PASTES_ARE_NOT_MARKED = "\u001B[?2004l";
