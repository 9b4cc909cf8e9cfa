import type {
  AndOr,
  Assignment,
  CaseItem,
  Command,
  CommandNode,
  CompoundList,
  Elif,
  ParsedScript,
  Pipeline,
  Redirection,
  Word as WordNode,
} from "unbash";
import { builtin } from "./builtins.ts";
import type { FactList } from "./fact-list.ts";
import type { Grammar } from "./grammar.ts";
import { Call, type ShellReader, type Stream } from "./call.ts";
import { perform } from "./program-table.ts";
import type { ShellState } from "./shell-state.ts";
import { assigned, expanded, single, visit, type Word, type WordPlace } from "./words.ts";

const DEEPEST = 30;
/** More values of a loop are one that is not known. */
const MOST_VALUES = 20;

/** A text is more than plain words. */
export class GrammarMissing extends Error {}

const PLAIN = /^(?:-[\w./:,@%+=-]*|[\w./:,@%+][\w./:,@%+-]*)$/;
/** Words that are no program's at the start of a command. */
const RESERVED = new Set(
  "if then else elif fi for select while until do done case esac function time coproc".split(" "),
);

/** The words of a line that holds nothing else: no quotes, expansions, patterns, assignments or operators. */
function plainWords(text: string): readonly Word[] | undefined {
  const words = text.split(" ").filter((word) => word !== "");
  const isPlain = words.length > 0 && words.every((word) => PLAIN.test(word));
  return isPlain && !RESERVED.has(words[0] ?? "")
    ? words.map((word) => ({ text: word, known: true }))
    : undefined;
}

/** Walks through the commands of a text, both branches of every choice, and hands each to what knows its program. */
export class Statements implements ShellReader {
  #depth = 0;

  /** `grammar`: missing while every text is plain words. */
  constructor(
    readonly facts: FactList,
    readonly home: string,
    readonly grammar?: Grammar,
  ) {}

  /** @throws GrammarMissing */
  text(text: string, state: ShellState, stdin: Stream = ""): void {
    this.facts.step(text);
    const words = plainWords(text);
    if (words) return this.#deeper(() => this.#call(words, state, stdin));
    this.#script(this.#wholeGrammar.parse(text), state, stdin);
  }

  get #wholeGrammar(): Grammar {
    if (!this.grammar) throw new GrammarMissing();
    return this.grammar;
  }

  start(words: readonly Word[], state: ShellState, stdin: Stream): void {
    this.#deeper(() => this.#call(words, state.copy(), stdin));
  }

  #script(script: ParsedScript | undefined, state: ShellState, stdin: Stream = ""): void {
    this.facts.step();
    if (!script || (script.errors ?? []).length > 0) this.facts.unknown("syntax");
    this.#deeper(() => this.#list(script?.commands ?? [], state, stdin));
  }

  #deeper(read: () => void): void {
    if (this.#depth >= DEEPEST) return this.facts.unknown("syntax");
    this.#depth += 1;
    try {
      read();
    } finally {
      this.#depth -= 1;
    }
  }

  #list(commands: CompoundList["commands"], state: ShellState, stdin: Stream): Stream {
    let output: Stream = "";
    for (const { command, background } of commands) {
      const said = this.#node(command, background ? state.copy() : state, stdin);
      output = output === undefined || said === undefined ? undefined : output + said;
    }
    return output;
  }

  /** Answers what it writes on standard output, where that is literal. */
  #node(node: CommandNode | Pipeline | AndOr | CompoundList, state: ShellState, stdin: Stream): Stream {
    this.facts.step();
    const place = this.#place(state);
    switch (node.type) {
      case "Command":
        return this.#command(node, state, stdin);
      case "AndOr":
        return this.#andOr(node, state, stdin);
      case "Pipeline": {
        let output = stdin;
        for (const command of node.commands)
          output = this.#node(command, node.commands.length > 1 ? state.copy() : state, output);
        return output;
      }
      case "CompoundList":
        return this.#list(node.commands, state, stdin);
      case "BraceGroup":
        return this.#list(node.body.commands, state, stdin);
      case "Subshell":
        return this.#list(node.body.commands, state.copy(), stdin);
      case "Coproc":
        this.#node(node.body, state.copy(), stdin);
        return "";
      case "Redirected": {
        const input = this.#redirections(node.redirects, state, stdin);
        const output = this.#node(node.command, state, input);
        return node.redirects.some(isOfOutput) ? undefined : output;
      }
      case "Function":
        state.functions.set(node.name.value, node);
        this.#maybe(state, (own) => {
          for (const name of "123456789@*") own.variables.set(name, undefined);
          this.#node(node.body, own, undefined);
        });
        return "";
      case "If":
        this.#list(node.clause.commands, state, stdin);
        for (const body of [node.then, ...node.elif, ...(node.else ? [node.else] : [])])
          this.#branch(body, state, stdin);
        return undefined;
      case "While":
        this.#maybe(state, (own) => {
          this.#list(node.clause.commands, own, stdin);
          this.#list(node.body.commands, own, stdin);
        });
        return undefined;
      case "For":
      case "Select":
        this.#loop(node.name.value, node.wordlist ?? [], node.body, state, stdin);
        return undefined;
      case "Case":
        visit(node.word, place);
        for (const item of node.items) this.#branch(item, state, stdin);
        return undefined;
      case "ArithmeticFor":
        for (const each of [node.initialize, node.test, node.update]) if (each) visit(each, place);
        this.#branch(node.body, state, stdin);
        return undefined;
      default:
        visit(node, place);
        return "";
    }
  }

  #andOr({ commands, operators }: AndOr, state: ShellState, stdin: Stream): Stream {
    let before = state.copy();
    let output: Stream = "";
    for (const [index, command] of commands.entries()) {
      // What stands behind `||` is run where the command before it has failed, and mostly ends there.
      const isElse = operators[index - 1] === "||";
      const own = isElse ? before : state;
      if (!isElse) before = state.copy();
      const said = this.#node(command, own, stdin);
      output = output === undefined || said === undefined ? undefined : output + said;
    }
    return operators.includes("||") ? undefined : output;
  }

  #branch(body: CompoundList | Elif | CaseItem, state: ShellState, stdin: Stream): void {
    this.#maybe(state, (own) => {
      if (body.type === "Elif") this.#list(body.clause.commands, own, stdin);
      if (body.type === "CaseItem") for (const each of body.pattern) visit(each, this.#place(own));
      const { commands } = body.type === "CompoundList" ? body : body.type === "Elif" ? body.then : body.body;
      this.#list(commands, own, stdin);
    });
  }

  #loop(
    name: string,
    wordlist: readonly WordNode[],
    body: CompoundList,
    state: ShellState,
    stdin: Stream,
  ): void {
    const words = wordlist.flatMap((word) => expanded(word, this.#place(state)));
    const values = words.length > MOST_VALUES ? [] : words.filter(({ known }) => known);
    const isWhole = values.length === words.length && words.length > 0;
    for (const value of [...values.map(({ text }) => text), ...(isWhole ? [] : [undefined])])
      this.#maybe(state, (own) => {
        own.variables.set(name, value);
        this.#list(body.commands, own, stdin);
      });
    state.variables.set(name, undefined);
  }

  #maybe(state: ShellState, read: (own: ShellState) => void): void {
    const own = state.copy();
    read(own);
    state.join(own);
  }

  #command(node: Command, state: ShellState, stdin: Stream): Stream {
    const place = this.#place(state);
    const words = node.name ? [...expanded(node.name, place)] : [];
    for (const arg of node.args)
      if (arg.type === "Word") words.push(...expanded(arg, place));
      else words.push({ text: `${arg.name}=${this.#assign(arg, state, state)}`, known: true });
    const given = node.name ? state.copy() : state;
    for (const one of node.prefix) if (one.type === "Assignment") this.#assign(one, state, given);
    const input = this.#redirections(node.redirects, state, stdin);
    const output = words.length > 0 ? this.#call(words, state, input) : "";
    return node.redirects.some(isOfOutput) ? undefined : output;
  }

  /** Answers the value as it is told. */
  #assign(node: Assignment, state: ShellState, target: ShellState): string {
    const value = assigned(node.value, this.#place(state));
    if (node.index) visit(node.index, this.#place(state));
    const isWhole = value.known && node.index === undefined && node.append !== true;
    target.variables.set(node.name, isWhole ? value.text : undefined);
    this.facts.add("sets", `${node.name}=${value.text}`);
    return value.text;
  }

  /** Answers what is then on standard input. */
  #redirections(all: readonly Redirection[], state: ShellState, stdin: Stream): Stream {
    let input = stdin;
    for (const one of all) {
      const target = one.type === "HereDoc" ? one.body : one.target;
      const word = target ? single(target, this.#place(state)) : { text: "", known: true };
      if (one.type !== "Redirect") {
        const end = one.type === "HereString" ? "\n" : "";
        input = one.type === "HereDoc" || word.known ? word.text + end : undefined;
        continue;
      }
      const isDescriptor = one.operator.endsWith("&") && /^(?:\d+-?|-)$/.test(word.text);
      if (isDescriptor || (target?.type === "Word" && target.parts?.[0]?.type === "ProcessSubstitution"))
        continue;
      if (/^<(?!>)/.test(one.operator)) input = undefined;
      if (!word.known) this.facts.unknown(isOfOutput(one) ? "write" : "read");
      else {
        if (isOfOutput(one)) this.facts.path("writes", word.text, state.cwd);
        if (one.operator.startsWith("<")) this.facts.path("reads", word.text, state.cwd);
      }
    }
    return input;
  }

  #call(words: readonly Word[], state: ShellState, stdin: Stream): Stream {
    this.facts.step();
    const [name = { text: "", known: true }, ...args] = words;
    const call = new Call(name, args, state, stdin, this);
    const body = state.functions.get(name.text)?.body;
    if (body) {
      this.#deeper(() => {
        const own = state.copy();
        for (const [index, { text, known }] of args.entries())
          own.variables.set(String(index + 1), known ? text : undefined);
        this.#node(body, own, stdin);
      });
      return undefined;
    }
    call.tell();
    return builtin(call, state) ? undefined : perform(call);
  }

  #place(state: ShellState): WordPlace {
    return {
      facts: this.facts,
      home: this.home,
      state,
      grammar: this.#wholeGrammar,
      substituted: (script) => this.#script(script, state.copy()),
    };
  }
}

function isOfOutput(one: Redirection): boolean {
  return one.type === "Redirect" && one.operator !== "<" && one.operator !== "<&";
}
