import type * as tree from "unbash";
import { Call, setVariable, type Input, type ShellReader } from "./call.ts";
import { TooMuch, type FactList } from "./fact-list.ts";
import type { Grammar } from "./grammar.ts";
import { plainScript } from "./plain-script.ts";
import { readProgram, unreadCall } from "./program-table.ts";
import type { ShellState } from "./shell-state.ts";
import { joinedWords, tailOf, unknownWord, type Word } from "./word.ts";
import { expandedWords, hereDocument, singleWord, visit, type WordPlace } from "./words.ts";

type Script = tree.ParsedScript | undefined;
type Commands = tree.CommandNode | tree.Pipeline | tree.AndOr | tree.CompoundList;
const DEEPEST = 30;
const MOST_MARKS = 80_000;
const MARK = /[$`(){}[\];|&<>\n'"\\]/g;
/** The longest text, in characters: the grammar scans the rest again for each nested parameter. */
const MOST_SCANNED = 20_000_000;
const EXPANSION = /\$\{/g;
/** Its own message about constructs beyond the nesting limit. */
const TOO_DEEP = /nesting depth exceeded/;

/** `plainScript` cannot read a text, and no grammar is loaded. */
export class GrammarMissing extends Error {}

/**
 * Walks through the commands of a text, with all branches of every choice, and reads each call. Values are not
 * followed.
 */
export class Statements implements ShellReader {
  #depth = 0;
  /** The text to which positions of the tree refer. */
  #source = "";
  readonly #functions = new Set<string>();

  /** `grammar`: missing while every text is plain. */
  constructor(
    readonly facts: FactList,
    readonly grammar?: Grammar,
  ) {}

  /** @throws TooMuch, GrammarMissing */
  text(text: string, state: ShellState, input: Input | undefined): void {
    this.facts.step(text.length);
    this.#script(plainScript(text) ?? this.#parsed(text), text, text, state, input);
  }

  start(words: readonly Word[], state: ShellState, input: Input | undefined): void {
    this.#deeper(() => this.#call(words, state, input));
  }

  #parsed(text: string): tree.ParsedScript {
    if (!this.grammar) throw new GrammarMissing();
    const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    if (count(MARK) > MOST_MARKS || count(EXPANSION) * text.length > MOST_SCANNED) throw new TooMuch();
    return this.grammar.parse(text);
  }

  /** `base`: the text to which positions of the tree refer, unless the tree has its own text. */
  #script(script: Script, source: string, base: string, state: ShellState, input?: Input): void {
    this.facts.step();
    const errors = script?.errors ?? [];
    if (errors.some(({ message }) => TOO_DEEP.test(message))) throw new TooMuch();
    if (!script || errors.length > 0) this.facts.unknown("syntax", unknownWord(source));
    const before = this.#source;
    this.#deeper(() => {
      this.#source = script?.source ?? base;
      this.#list(script?.commands ?? [], state, input);
    });
    this.#source = before;
  }

  #deeper(read: () => void): void {
    if (this.#depth >= DEEPEST) throw new TooMuch();
    this.#depth += 1;
    try {
      read();
    } finally {
      this.#depth -= 1;
    }
  }

  #list(commands: tree.CompoundList["commands"], state: ShellState, input: Input | undefined): void {
    for (const { command, background } of commands)
      this.#node(command, background ? state.branch() : state, input);
  }

  #node(node: Commands, state: ShellState, input: Input | undefined): void {
    this.facts.step();
    switch (node.type) {
      case "Command":
        return this.#command(node, state, input);
      case "AndOr":
        return this.#andOr(node, state, input);
      case "Pipeline":
        return this.#pipeline(node, state, input);
      case "BraceGroup":
        return this.#list(node.body.commands, state, input);
      case "Subshell":
        return this.#list(node.body.commands, state.branch(), input);
      case "Coproc":
        return this.#node(node.body, state.branch(), undefined);
      case "Redirected":
        return this.#node(node.command, state, this.#redirections(node.redirects, state, input));
      case "Function":
        this.#functions.add(node.name.value);
        return this.#branch(state, (own) => this.#node(node.body, own, undefined));
      default:
        if (node.type === "For" || node.type === "Select") setVariable(this, `${node.name.value}=`, state);
        this.#compound(node, state, input);
    }
  }

  /** Its first list runs, the others may run; the words and expressions around them are not followed. */
  #compound(node: tree.SyntaxNode, state: ShellState, input: Input | undefined): void {
    this.#branch(state, (own) => {
      let isFirst = true;
      this.grammar?.forEachChild(node, (child) => {
        if (child.type === "Elif" || child.type === "CaseItem") this.#compound(child, own, input);
        else if (child.type === "CompoundList") {
          if (isFirst) this.#list(child.commands, own, input);
          else this.#branch(own, (inner) => this.#list(child.commands, inner, input));
          isFirst = false;
        } else if (child.type === "Statement") this.#list([child], own, input);
        else this.#unread(child, own);
      });
    });
  }

  #pipeline(node: tree.Pipeline, state: ShellState, input: Input | undefined): void {
    const own = this.#source.slice(node.pos, node.end);
    // Here-documents follow it.
    const source = own.includes("<<") ? this.#source.slice(node.pos) : own;
    const piped: Input = { word: unknownWord(source), isText: false };
    const isOne = node.commands.length === 1;
    for (const [index, command] of node.commands.entries())
      this.#node(command, isOne ? state : state.branch(), index === 0 ? input : piped);
  }

  #andOr({ commands, operators }: tree.AndOr, state: ShellState, input: Input | undefined): void {
    let before = state.branch();
    for (const [index, command] of commands.entries()) {
      // A command after `||` runs if the previous one has failed, and most such commands end the text.
      const isElse = operators[index - 1] === "||";
      if (!isElse) before = state.branch();
      this.#node(command, isElse ? before : state, input);
    }
  }

  #branch(state: ShellState, read: (own: ShellState) => void): void {
    const own = state.branch();
    read(own);
    state.join(own);
  }

  /** A construct that is not followed: its substitutions are read, its own text is unread. */
  #unread(node: tree.SyntaxNode, state: ShellState): void {
    const place = this.#place(state);
    if (node.type === "Word") for (const word of expandedWords(node, place)) this.facts.unread(word);
    else {
      visit(node, place);
      this.facts.unread(unknownWord(this.#source.slice(node.pos, node.end)));
    }
  }

  #command(node: tree.Command, state: ShellState, input: Input | undefined): void {
    const place = this.#place(state);
    const words = node.name ? [...expandedWords(node.name, place)] : [];
    for (const arg of node.args)
      if (arg.type === "Word") words.push(...expandedWords(arg, place));
      else words.push(this.#assign(arg, state, state));
    const own = node.name ? state.branch() : state;
    for (const one of node.prefix) if (one.type === "Assignment") this.#assign(one, state, own);
    const given = this.#redirections(node.redirects, state, input);
    if (words.length > 0) this.#call(words, state, given, own);
  }

  /** Returns the assignment as a word. */
  #assign(node: tree.Assignment, state: ShellState, target: ShellState): Word {
    const place = this.#place(state);
    if (node.index) this.#unread(node.index, state);
    const elements = node.value.type === "Word" ? [] : node.value.elements;
    for (const each of elements) this.#unread(each, state);
    const value = node.value.type === "Word" ? singleWord(node.value, place) : unknownWord("(…)");
    const text = `${node.name}=${value.text}`;
    setVariable(this, text, target);
    this.facts.unread({ source: node.text, text: elements.length > 0 ? "" : value.text });
    return { ...value, text, pattern: text, source: node.text };
  }

  /** Returns the standard input after the redirections. */
  #redirections(
    all: readonly tree.Redirection[],
    state: ShellState,
    input: Input | undefined,
  ): Input | undefined {
    const place = this.#place(state);
    let given = input;
    // A shell may read its program from any descriptor.
    const texts: Word[] = [];
    for (const one of all) {
      if (one.type === "HereDoc") texts.push(hereDocument(one.body, place));
      else if (one.target) {
        const word = singleWord(one.target, place);
        if (one.type === "HereString") texts.push(word);
        else if (this.#redirect(one.operator, word, state)) given = { word, isText: false };
      }
    }
    return texts.length > 0 ? { word: joinedWords(texts, "\n"), isText: true } : given;
  }

  /** Whether a file becomes standard input. `<(…)` is a pipe, whose commands have been read. */
  #redirect(operator: string, word: Word, state: ShellState): boolean {
    const isInput = operator.startsWith("<");
    if (operator.endsWith("&") && /^(?:\d+-?|-)$/.test(word.text)) return false;
    if (/^\/dev\/(?:tcp|udp)\//.test(word.text)) {
      const address = tailOf(word, "/dev/tcp/".length);
      const call = new Call([address], state, state, undefined, this);
      call.fetch({ ...address, text: address.text.replace("/", ":") });
    } else if (!/^[<>]\(/.test(word.source)) {
      if (!/^<&?$/.test(operator)) this.facts.path("writes", word, state.cwd);
      if (isInput) this.facts.path("reads", word, state.cwd);
    }
    return isInput;
  }

  /** `own`: the state of the program, with the variables before its name. */
  #call(words: readonly Word[], state: ShellState, input: Input | undefined, own = state.branch()): void {
    this.facts.step();
    const call = new Call(words, state, own, input, this);
    call.addProgram();
    if (this.#functions.has(call.name)) unreadCall(call);
    readProgram(call);
  }

  #place(state: ShellState): WordPlace {
    return {
      facts: this.facts,
      state,
      grammar: this.grammar,
      substitution: (script, source) => this.#script(script, source, this.#source, state.branch()),
    };
  }
}
