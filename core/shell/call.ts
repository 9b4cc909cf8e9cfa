import { diskLook } from "../adapters/disk-look.ts";
import { address } from "./addresses.ts";
import type { FactList, Unknown } from "./fact-list.ts";
import { baseName, joined, tidied } from "./paths.ts";
import type { ShellState } from "./shell-state.ts";
import type { Word } from "./words.ts";

/** A text on standard input or output; `undefined` when it is not known. */
export type Stream = string | undefined;

/** What reads the texts and programs that a call starts. */
export interface ShellReader {
  readonly facts: FactList;
  readonly home: string;
  /** Commands in a text that a shell comes to run. @throws TooMuch */
  readonly text: (text: string, state: ShellState, stdin?: Stream) => void;
  /** A program by its words. It changes nothing of the shell. @throws TooMuch */
  readonly start: (words: readonly Word[], state: ShellState, stdin: Stream) => void;
}

/** A program as the shell would start it, and what is found of it. */
export class Call {
  /** Without a folder, `.exe` and the version that `npx` is told. */
  readonly name: string;
  /** Its folder; `folder` goes elsewhere. */
  cwd: string | undefined;

  constructor(
    readonly word: Word,
    readonly args: readonly Word[],
    readonly state: ShellState,
    readonly stdin: Stream,
    readonly reader: ShellReader,
  ) {
    this.name =
      word.text === "." ? "." : baseName(word.text).replace(/\.(?:exe|cmd)$|(?<=.)@[\w.^~-]+$/i, "");
    this.cwd = state.cwd;
  }

  /** Says that it is started. @throws TooMuch */
  tell(name = this.name, args = this.args): void {
    const { facts } = this.reader;
    facts.program(
      name,
      args.map(({ text }) => text),
      this.cwd,
    );
    if (!this.word.known) facts.unknown("program");
    else if (name === this.name && this.word.text.includes("/")) this.script(this.word);
  }

  read(word: Word): void {
    if (word.text === "-") return;
    if (word.known) this.reader.facts.path("reads", word.text, this.cwd);
    else this.unknown("read");
  }

  write(word: Word): void {
    if (word.text === "-") return;
    if (word.known) this.reader.facts.path("writes", word.text, this.cwd);
    else this.unknown("write");
  }

  /** A file whose text it runs. */
  script(word: Word): void {
    if (word.text === "-") return;
    if (word.known) this.reader.facts.path("scripts", word.text, this.cwd);
    else this.unknown("code");
  }

  fetch(word: Word, scheme?: string): void {
    const url = word.known ? address(word.text, scheme) : undefined;
    if (url === undefined) this.unknown("address");
    else this.reader.facts.add("urls", url);
  }

  /** Later words are relative to it. */
  folder(word: Word): void {
    this.cwd = word.known ? joined(word.text, this.cwd) : undefined;
  }

  /** Commands that a shell comes to run, with the parameters `$0`, `$1`, … */
  text(word: Word, parameters: readonly Word[] = []): void {
    if (!word.known) this.unknown("code");
    const own = this.#state();
    for (const [index, { text, known }] of parameters.entries())
      own.variables.set(String(index), known ? text : undefined);
    this.reader.text(word.text, own, this.stdin);
  }

  /** What its standard input tells a shell to run. */
  input(): void {
    if (this.stdin === undefined) this.unknown("code");
    else this.reader.text(this.stdin, this.#state());
  }

  /** A program among its words. */
  start(words: readonly Word[], stdin = this.stdin): void {
    if (words.length > 0) this.reader.start(words, this.#state(), stdin);
  }

  unknown(...why: readonly Unknown[]): void {
    this.reader.facts.unknown(...why);
  }

  isFolder({ text, known }: Word): boolean {
    const path = known ? joined(text, this.cwd) : undefined;
    return path !== undefined && diskLook.kind(diskLook.realPath(path) ?? tidied(path)) === "folder";
  }

  #state(): ShellState {
    const own = this.state.copy();
    own.cwd = this.cwd;
    return own;
  }
}
