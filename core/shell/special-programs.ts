import { SKILLCTL, type Call } from "./call.ts";
import { baseName, joined, OPEN, tidied } from "./paths.ts";
import type { CallWords } from "./options.ts";
import { joinedWords, literalWord, unknownWord, type Word } from "./word.ts";

/** Settings of git that start no program and name no file or address. */
const PLAIN_SETTING =
  /^(?:user\.|init\.defaultbranch$|(?:pull|push|fetch|rebase|color|advice|help|branch|rerere|log|status|safe|column)\.|core\.(?:autocrlf|eol|ignorecase|filemode|quotepath|longpaths|whitespace|safecrlf)$|commit\.gpgsign$|merge\.conflictstyle$|diff\.(?:algorithm|colormoved|renames)$)/i;
const HERE = literalWord(".");

/** Programs whose words depend on each other in a way that no column of the table states. */
export const SPECIAL_PROGRAMS: Readonly<Record<string, (call: Call, words: CallWords) => void>> = {
  copy,
  find,
  // `cd` of the shell itself.
  folder: (call, { operands: [word] }) => {
    const { state } = call;
    if (!word) state.enter(state.home);
    else if (word.text === "-") state.enter(state.previous);
    else call.folder(word, state);
  },
  stack,
  eval: (call) => {
    const { args, state } = call;
    call.text(joinedWords(args[0]?.text === "--" ? args.slice(1) : args), [], state);
  },
  // The program may be `cd` or `eval`, which change the shell.
  builtin: ({ reader, state, input }, { operands }) => reader.start(operands, state, input),
  printf: (call, { has }) => {
    if (has("v")) call.unread(call.args);
  },
  shell: (call, { operands, has }) => {
    const [first, ...rest] = operands;
    if (has("c") && first) {
      call.text(first, rest);
      if (/^(?:exec\s+)?"?\$[@*]"?$/.test(first.text)) call.start(rest.slice(1));
      return;
    }
    if (first && !has("s")) call.path("scripts", first);
    else call.takeInput();
    call.unread(rest);
  },
  interpreter: (call, { operands, valueOf }) => {
    const [first, ...rest] = operands;
    // A module with the name of a program need not be that program.
    const module = valueOf("m");
    if (module) call.unread([module]);
    if (!first) call.takeInput();
    call.unread(rest);
    if (SKILLCTL.test(baseName(first?.text ?? ""))) call.start([literalWord("skillctl"), ...rest]);
  },
  // Further words come from standard input, or follow `:::`.
  arguments: (call, { operands, has, valueOf }) => {
    const at = operands.findIndex(({ text }) => /^::::?\+?$/.test(text));
    const [own, given] = at < 0 ? [operands, []] : [operands.slice(0, at), operands.slice(at)];
    call.unread(given);
    const mark = valueOf("I replace");
    const open = mark?.text ?? (has("i") || call.name === "parallel" ? "{}" : "");
    const words = own.map((word) => opened(word, open));
    call.start(open === "" ? [...words, unknownWord("")] : words);
  },
  socket: (call, { operands }) => {
    if (operands.length > 0) call.fetch(joinedWords(operands.slice(0, 2), ":"));
  },
  "git-checkout": (call, { operands, has }) => {
    const end = call.args.findIndex(({ text }) => text === "--");
    const isNew = has("b B c C orphan create");
    const whole = operands.length === 0 ? [] : [isNew ? literalWord(".git") : HERE];
    const paths = end < 0 ? [] : call.args.slice(end + 1);
    for (const word of paths.length > 0 ? paths : whole) call.path("writes", word);
  },
  "git-config": (call, { operands, has }) => {
    const [verb, ...words] = operands;
    const isLook = /^(?:get|list)$/.test(verb?.text ?? "") || has("get get-all get-regexp l list");
    const [name, value] = /^(?:set|unset)$/.test(verb?.text ?? "") ? words : operands;
    const isChange = value !== undefined || name !== verb || has("unset unset-all e edit");
    if (isLook || !isChange || PLAIN_SETTING.test(name?.text ?? "")) return;
    call.unread(operands);
    if (has("f file")) return;
    const home = call.own.home === undefined ? unknownWord("~") : literalWord(call.own.home);
    call.path(
      "writes",
      has("global") ? inFolder(home, literalWord(".gitconfig")) : literalWord(".git/config"),
    );
  },
};

/** pushd and popd: the folders of the stack follow the current one; `+1` and `-0` are places in this list. */
function stack(call: Call, { operands, has }: CallWords): void {
  const { state, name, args } = call;
  const [, sign, count] = args.map(({ text }) => /^([-+])(\d+)$/.exec(text)).find((match) => match) ?? [];
  const all = [state.cwd, ...state.stack];
  const at = sign === "-" ? all.length - 1 - Number(count) : Number(count);
  const start = has("n") ? 1 : 0;
  const [word] = operands;
  if (count === undefined && word && name === "pushd") {
    const there = state.branch();
    call.folder(word, there);
    all.splice(start, 0, there.cwd);
  } else if (all.length < 2) return;
  else if (name === "popd") all.splice(count === undefined ? start : at, 1);
  else if (count === undefined) all.unshift(...all.splice(1, 1));
  else all.push(...all.splice(0, at));
  const [first, ...others] = all;
  if (start === 0) state.enter(first);
  state.stack = others;
}

/** cp, mv, ln, install, rsync: the program writes the last operand or, if it is a folder, a file in it. */
function copy(call: Call, { operands, has, valueOf }: CallWords): void {
  const { name: program, own, facts } = call;
  if (program.endsWith("install") && has("d directory"))
    return operands.forEach((word) => call.path("writes", word));
  const isSync = /^(?:rsync|scp|sftp)$/.test(program);
  const isRemote = ({ text }: Word): boolean => isSync && /^[^/]+:/.test(text);
  const isTree = isSync || program === "mv" || has("r R recursive a archive");
  const isSourceWritten =
    has("remove-source-files") ||
    program === "mv" ||
    (/^(?:ln|link)$/.test(program) ? !has("s symbolic") : program === "cp" && has("l link"));
  const named = valueOf("t target-directory");
  const sources = named || operands.length < 2 ? operands : operands.slice(0, -1);
  const target = named ?? (operands.length > 1 ? operands.at(-1) : program === "ln" ? HERE : undefined);
  const path = target?.known === true ? joined(target.text, own.cwd) : undefined;
  // The working folder and those above it exist.
  const isThere = path !== undefined && `${own.cwd}/`.startsWith(`${tidied(path)}/`);
  const isFolder =
    isThere || named !== undefined || sources.length > 1 || target?.text.endsWith("/") === true;
  const write = (word: Word): void => (isTree ? facts.whole(word, own.cwd) : call.path("writes", word));
  for (const source of sources) {
    if (!isRemote(source)) call.path("reads", source);
    if (isSourceWritten && !isRemote(source)) write(source);
    if (!target || isRemote(target)) continue;
    // `a/` (of rsync) and `.` mean the contents of a folder.
    const name = baseName(isSync ? source.text.replace(/^[^/]+:/, "") : source.text.replace(/\/$/, ""));
    const isInside = !/^\.{0,2}$/.test(name) && !has("T no-target-directory");
    if (!isFolder || !isInside || (isTree && !source.known) || isSync) write(target);
    if (isInside) write(inFolder(target, source.known ? literalWord(name) : unknownWord("*")));
  }
}

function inFolder(folder: Word, name: Word): Word {
  return joinedWords([folder, name], "/");
}

/** A word in which the program replaces a mark by an unknown text. */
export function opened(word: Word, mark: string): Word {
  if (mark === "" || !word.text.includes(mark)) return word;
  return { ...word, known: false, pattern: word.pattern.replaceAll(mark, OPEN) };
}

/** find: the files that it finds are unknown, unless it deletes whole folders. */
function find(call: Call): void {
  const { args } = call;
  const at = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const [folders, tests] = at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)];
  const starts = folders.length === 0 ? [HERE] : folders;
  for (const folder of starts) call.path("reads", folder);
  const isAction = (text: string): boolean =>
    /^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|files0-from)$/.test(text);
  if (tests.some(({ text }) => isAction(text))) {
    call.unread(args);
    for (const [index, word] of tests.entries())
      if (/^-i?(?:name|path|wholename)$/.test(tests[index - 1]?.text ?? "")) call.facts.search(word);
  }
  const isAll = !tests.some(({ text }) => /^-(?!delete$|depth$|maxdepth$|xdev$|print0?$)[a-z]/.test(text));
  for (const [index, { text }] of tests.entries()) {
    if (!isAction(text)) continue;
    const words = tests.slice(index + 1);
    if (text === "-delete")
      for (const folder of starts) call.path("writes", isAll ? folder : inFolder(folder, unknownWord("*")));
    else if (words[0] && text.startsWith("-f") && text !== "-files0-from") call.path("writes", words[0]);
    else if (/^-(?:exec|ok)/.test(text))
      call.start(words.slice(0, endOf(words)).map((word) => opened(word, "{}")));
  }
}

/** The end of the program that find starts: `;`, or `+` after `{}`. */
function endOf(words: readonly Word[]): number | undefined {
  const end = words.findIndex(
    ({ text }, place) => text === ";" || (text === "+" && words[place - 1]?.text === "{}"),
  );
  return end < 0 ? undefined : end;
}
