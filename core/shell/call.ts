import { address, spelledOut } from "./addresses.ts";
import type { FactList, PathList } from "./fact-list.ts";
import { listed } from "./options.ts";
import { baseName, joined, OPEN, tidied } from "./paths.ts";
import table from "./programs.json" with { type: "json" };
import type { ShellState } from "./shell-state.ts";
import { joinedWords, literalWord, unknownWord, type Word } from "./word.ts";

/** The standard input of a program: a text that the command itself gives, or the source of the commands that write it. */
export interface Input {
  readonly word: Word;
  /** Whether the text is the input itself. */
  readonly isText: boolean;
}

/** Standard input, or another descriptor, as the name of a file. */
const DESCRIPTOR = /^(?:-|\/dev\/(?:stdin|fd\/\d+)|\/proc\/(?:self|thread-self|\d+|\$\$)\/fd\/\d+)$/;
const COMMANDS: ReadonlySet<string> = new Set(listed(table.variables));
/** The files of skillctl itself, as programs or for an interpreter. */
export const SKILLCTL = /^(?:skillctl(?:-main)?|bin-program)(?:\.[cm]?[jt]s)?$/;
const SHELLS = /^(?:\.|source|(?:ba|z|da|k|a|mk|fi|rba)?sh)[\d.]*$/;

/** Reads the texts and programs that a call starts. */
export interface ShellReader {
  readonly facts: FactList;
  /** Commands in a text that a shell runs. They change `state`. @throws TooMuch */
  readonly text: (text: string, state: ShellState, input: Input | undefined) => void;
  /** A program by its words. @throws TooMuch */
  readonly start: (words: readonly Word[], state: ShellState, input: Input | undefined) => void;
}

/** One program with its words, as the shell starts it. Its members add facts; each can throw TooMuch. */
export class Call {
  /** Without a folder, `.exe` and the version in the argument of `npx`. */
  readonly name: string;
  readonly word: Word;
  readonly args: readonly Word[];
  readonly facts: FactList;

  /** `state` is that of the shell; `own` is that of the program. */
  constructor(
    [word = unknownWord(""), ...args]: readonly Word[],
    readonly state: ShellState,
    readonly own: ShellState,
    readonly input: Input | undefined,
    readonly reader: ShellReader,
  ) {
    [this.word, this.args, this.facts] = [word, args, reader.facts];
    const name = word.text === "." ? "." : baseName(word.text);
    this.name = SKILLCTL.test(name) ? "skillctl" : name.replace(/\.(?:exe|cmd)$|(?<=.)@[\w.^~-]+$/i, "");
  }

  /** Adds the program and, if its name has a folder, its file. */
  addProgram(name = this.name, args = this.args): void {
    const texts = args.map(({ text }) => text);
    this.facts.program(name, texts, this.own.cwd);
    if (!this.word.known) this.facts.unknown("program", this.word);
    if (name === this.name && this.word.text.includes("/")) this.path("scripts", this.word);
  }

  path(list: PathList, word: Word): void {
    if (!DESCRIPTOR.test(word.text)) this.facts.path(list, word, this.own.cwd);
    else if (list === "scripts") this.takeInput();
  }

  fetch(word: Word): void {
    // The shell keeps a pattern that matches no file.
    const isSure = word.known || !word.pattern.includes(OPEN);
    const texts = this.name === "curl" ? spelledOut(word.text) : [word.text];
    const urls = isSure ? texts.flatMap((text) => address(text) ?? []) : [];
    if (!word.known || urls.length === 0) this.facts.unknown("address", word);
    for (const url of urls) {
      this.facts.add("urls", url);
      const path = url.startsWith("file:") ? decoded(new URL(url).pathname) : "";
      this.facts.path("reads", literalWord(path), undefined);
    }
  }

  /** A folder to which later words are relative. */
  folder(word: Word, state = this.own): void {
    const path = word.known ? joined(word.text, state.cwd) : undefined;
    if (path === undefined && word.text !== "") this.facts.path("reads", word, state.cwd);
    state.enter(path === undefined ? undefined : tidied(path));
  }

  /** Commands that a shell runs, with the words that it receives as `$0`, `$1` and so on. */
  text(word: Word, parameters: readonly Word[] = [], state = this.own.branch()): void {
    if (!word.known) this.facts.unknown("code", word);
    this.unread(parameters);
    this.reader.text(word.text, state, this.input);
  }

  /** Reads the standard input of a shell; of any other program it is unread. */
  takeInput(): void {
    if (!this.input) return;
    const isShell = SHELLS.test(this.name);
    const { word, isText } = this.input;
    if (!isShell || !isText || !word.known) this.facts.unknown("code", word);
    if (isShell && isText) this.reader.text(word.text, this.own.branch(), undefined);
  }

  /** Reads a program among the words. A first word with blanks is a text for a shell. */
  start(words: readonly Word[]): void {
    if (words[0] && /\s/.test(words[0].text)) this.text(joinedWords(words));
    else if (words[0]) this.reader.start(words, this.own.branch(), this.input);
  }

  /** A variable for the program or the shell, as `NAME=value`. */
  set(word: Word, state = this.own): void {
    if (!word.text.includes("=")) return;
    this.facts.unread(word);
    setVariable(this.reader, word.text, state);
  }

  unread(words: readonly Word[]): void {
    if (words.length > 0) this.facts.unread(joinedWords(words));
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Assigns a variable by `NAME=value`. The values of some, such as `EDITOR`, are commands. @throws TooMuch */
export function setVariable(reader: ShellReader, text: string, state: ShellState): void {
  const [name = ""] = text.split(/\+?=/, 1);
  reader.facts.add("sets", text);
  state.assign(name);
  const command = text.slice(text.indexOf("=") + 1).replace(/^\|+-?/, "");
  if (COMMANDS.has(name)) reader.text(command, state.branch(), undefined);
}
