import type { ParsedScript } from "unbash";
import { Facts, TooMuch } from "./facts.ts";
import type { Started } from "./programs/effects.ts";
import { effectsOf } from "./programs/program-effects.ts";
import { OPEN, type Outcome, type Reader } from "./reader.ts";
import type { ShellFiles } from "./shell-files.ts";
import type { ShellState } from "./shell-state.ts";
import { dispatch } from "./simple-command.ts";
import { listed, readNode } from "./statements.ts";

const MOST_STEPS = 10_000;
/** The last resort; the steps end long before. */
const LONGEST_MS = 2500;
const DEEPEST = 30;
const LONGEST_TEXT = 256 * 1024;

/** Goes through a shell text without running it. */
export class Interpreter implements Reader {
  readonly facts: Facts;
  readonly files: ShellFiles;
  readonly home: string;
  readonly parse: (text: string) => ParsedScript;
  readonly descriptors = new Map<string, string | undefined>();
  readonly effectsOf = effectsOf;
  readonly node: Reader["node"] = (node, state) => readNode(node, this, state);
  readonly #started = Date.now();
  #steps = 0;
  #depth = 0;

  constructor(options: { files: ShellFiles; home: string; parse: (text: string) => ParsedScript }) {
    this.files = options.files;
    this.home = options.home;
    this.parse = options.parse;
    this.facts = new Facts(options.files);
  }

  step(): void {
    this.#steps += 1;
    const late = Date.now() - this.#started > LONGEST_MS;
    if (this.#steps > MOST_STEPS || late) throw new TooMuch();
  }

  deeper<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new TooMuch();
    try {
      return read();
    } finally {
      this.#depth -= 1;
    }
  }

  script(script: ParsedScript | undefined, state: ShellState): Outcome {
    if (!script || (script.errors?.length ?? 0) > 0) {
      this.facts.unknown("syntax");
      if (!script) return OPEN;
    }
    return this.deeper(() => listed(script.commands, this, state));
  }

  text(text: string, state: ShellState): Outcome {
    if (text.length > LONGEST_TEXT) throw new TooMuch();
    if (text.includes("\0")) this.facts.unknown("syntax");
    return this.script(this.parse(text), state);
  }

  start(started: Started, state: ShellState): Outcome {
    if ("shell" in started) {
      const { shell, cwd } = started;
      if (cwd !== undefined) state.cwds = [cwd];
      if (shell.text !== undefined) return this.text(shell.text, state);
      this.facts.unknown("code");
      return OPEN;
    }
    const words = started.map((word) => ({ ...word, raw: word.text ?? word.known ?? "" }));
    return dispatch(words, this, state, false);
  }
}
