import { posix } from "node:path";
import { address } from "./addresses.ts";
import type { Call } from "./call.ts";
import { baseName, joined, tidied } from "./paths.ts";
import { OPEN } from "./name-patterns.ts";
import type { CallWords } from "./options.ts";
import table from "./programs.json" with { type: "json" };
import { joinedWords, literalWord, tailOf, unknownWord, type Word } from "./word.ts";

/** Settings of git that start no program, read no file and lead nowhere else. */
const PLAIN_SETTING =
  /^(?:user\.|init\.defaultbranch$|(?:pull|push|fetch|rebase|color|advice|help|branch|rerere|log|status|safe|column)\.|core\.(?:autocrlf|eol|ignorecase|filemode|quotepath|longpaths|whitespace|safecrlf)$|commit\.gpgsign$|merge\.conflictstyle$|diff\.(?:algorithm|colormoved|renames)$)/i;
const HERE = literalWord(".");

/** Programs whose words depend on each other in a way that no column of the table states. */
export const SPECIAL_PROGRAMS: Readonly<Record<string, (call: Call, words: CallWords) => void>> = {
  copy,
  find,
  // `cd` of the shell itself.
  folder: (call, { operands: [word] }) => {
    const { state, name } = call;
    if (name === "cd" && !word && state.home !== undefined) state.cwd = state.home;
    else call.folder(word && word.text !== "-" && name !== "popd" ? word : unknownWord(""), state);
  },
  eval: (call) => {
    const { args, state } = call;
    call.text(joinedWords(args[0]?.text === "--" ? args.slice(1) : args), [], state);
  },
  // The program may be `cd` or `eval`, which change the shell.
  builtin: ({ reader, state, input }, { operands }) => reader.start(operands, state, input),
  printf: (call, { has }) => {
    if (has("v")) call.unread(call.args);
  },
  dd: (call) => {
    for (const word of call.args)
      if (/^[io]f=/.test(word.text))
        call.path(word.text.startsWith("o") ? "writes" : "reads", tailOf(word, 3));
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
  interpreter: (call, { operands }) => {
    const [first, ...rest] = operands;
    if (!first) call.takeInput();
    call.unread(rest);
    if (/^skillctl(?:-main)?(?:\.[cm]?[jt]s)?$/.test(baseName(first?.text ?? "")))
      call.addProgram("skillctl", rest);
  },
  // Further words come from standard input, or stand behind `:::`.
  arguments: (call, { operands, has, values }) => {
    const at = operands.findIndex(({ text }) => /^::::?\+?$/.test(text));
    const [own, given] = at < 0 ? [operands, []] : [operands.slice(0, at), operands.slice(at)];
    call.unread(given);
    const [mark] = values("I", "replace");
    const open = mark?.text ?? (has("i") || call.name === "parallel" ? "{}" : "");
    const words = own.map((word) => opened(word, open));
    call.start(open === "" ? [...words, unknownWord("")] : words);
  },
  tar: (call, { operands, has, values }) => {
    const [archive] = values("f", "file");
    const isExtracted = has("x", "extract", "get");
    const isRead = isExtracted || has("t", "list");
    if (archive) call.path(isRead ? "reads" : "writes", archive);
    const isWhole = isExtracted || has("remove-files");
    for (const word of isExtracted ? [HERE, ...operands] : operands) {
      if (!isRead) call.path("reads", word);
      if (isWhole) call.facts.whole(word, call.own.cwd);
    }
  },
  unzip: (call, { operands: [, ...names], has, values }) => {
    if (has("l", "p", "t", "v", "Z")) return;
    const folder = values("d")[0] ?? HERE;
    for (const word of [folder, ...names.map((name) => inFolder(folder, name))])
      call.facts.whole(word, call.own.cwd);
  },
  // The first file of several: the prefix, a number and the suffix.
  split: (call, { operands, values }) => {
    const isFormat = call.name === "csplit";
    const [prefix = isFormat ? undefined : operands[1]] = values("f", "prefix");
    const [suffix] = isFormat ? values("b", "suffix-format") : values("additional-suffix");
    const end = isFormat ? (suffix?.text.replace(/%[^a-z%]*[a-z]/, "00") ?? "00") : `aa${suffix?.text ?? ""}`;
    if (prefix ?? suffix)
      call.path("writes", joinedWords([prefix ?? literalWord("x"), literalWord(end)], ""));
  },
  // `cmake -E` has commands of its own.
  cmake: (call) => {
    const [mark, verb, ...words] = call.args;
    const own =
      mark?.text === "-E" ? Object.entries(table.commands).find(([name]) => name === verb?.text) : undefined;
    if (own) call.start([...own[1].split(" ").map((name) => literalWord(name)), ...words]);
    else call.unread(call.args);
  },
  shopt: ({ state }, { operands, has }) => {
    if (has("s") && operands.some(({ text }) => text === "dotglob")) state.hasDots = true;
  },
  envsubst: ({ facts, input }, { operands }) => {
    for (const { text } of [...operands, ...(input ? [input.word] : [])])
      for (const [, name = ""] of text.matchAll(/\$\{?([A-Za-z_]\w*)/g)) facts.add("uses", name);
  },
  download: (call, { operands, has }) => {
    const isOther = has("O", "output-document", "spider", "r", "recursive");
    const isKept = call.name === "curl" ? has("O", "remote-name", "remote-name-all") : !isOther;
    for (const word of isKept ? operands : []) {
      const url = word.known ? address(word.text) : undefined;
      const name = url === undefined ? "" : posix.basename(new URL(url).pathname);
      call.path("writes", url === undefined ? unknownWord(word.text) : literalWord(name || "index.html"));
    }
  },
  socket: (call, { operands: [host, port], has }) => {
    if (!host || has("l", "listen")) return;
    call.fetch(joinedWords(port ? [host, port] : [host], ":"));
  },
  socat: (call, { operands }) => {
    for (const word of operands) {
      const [, kind = "", rest = ""] = /^([a-zA-Z0-9-]+):([^,]*)/.exec(word.text) ?? [];
      if (/^(?:tcp|udp|openssl|ssl)[46]?(?:-connect)?$/i.test(kind)) call.fetch({ ...word, text: rest });
      else if (/^(?:exec|system|shell)$/i.test(kind)) call.text(tailOf(word, kind.length + 1));
      else if (/^(?:open|file|gopen|create)$/i.test(kind)) call.path("writes", { ...word, text: rest });
      if (!/^(?:-|stdio|stdin|stdout)$/i.test(word.text)) call.facts.unread(word);
    }
  },
  rsync: (call, { operands, has }) => {
    const isRemote = ({ text }: Word): boolean => /^[^/]+:/.test(text);
    const target = operands.at(-1);
    const sources = operands.slice(0, -1);
    const isWritten = target && operands.length > 1 && !isRemote(target) && !has("n", "dry-run");
    for (const word of sources) {
      if (!isRemote(word)) call.path("reads", word);
      if (has("remove-source-files")) call.facts.whole(word, call.own.cwd);
      const name = word.known ? baseName(word.text.replace(/^[^/]*:/, "")) : "";
      const isAll = /^\.{0,2}$/.test(name);
      if (isWritten) call.facts.whole(isAll ? target : inFolder(target, literalWord(name)), call.own.cwd);
    }
    if (isWritten) call.path("writes", target);
  },
  "git-checkout": (call, { operands, has }) => {
    const end = call.args.findIndex(({ text }) => text === "--");
    const isNew = has("b", "B", "c", "C", "orphan", "create");
    const whole = operands.length === 0 ? [] : [isNew ? literalWord(".git") : HERE];
    const paths = end < 0 ? [] : call.args.slice(end + 1);
    for (const word of paths.length > 0 ? paths : whole) call.path("writes", word);
  },
  "git-clone": (call, { operands: [source, target] }) => {
    const name = baseName(source?.text.replace(/\/$/, "") ?? "").replace(/\.git$/, "");
    if (source) call.path("writes", target ?? { ...source, text: name });
  },
  "git-config": (call, { operands, has }) => {
    const [verb, ...words] = operands;
    const isLook =
      /^(?:get|list)$/.test(verb?.text ?? "") || has("get", "get-all", "get-regexp", "l", "list");
    const [name, value] = /^(?:set|unset)$/.test(verb?.text ?? "") ? words : operands;
    const isChange = value !== undefined || name !== verb || has("unset", "unset-all", "e", "edit");
    if (isLook || !isChange || PLAIN_SETTING.test(name?.text ?? "")) return;
    call.unread(operands);
    if (has("f", "file")) return;
    const home = call.own.home === undefined ? unknownWord("~") : literalWord(call.own.home);
    call.path(
      "writes",
      has("global") ? inFolder(home, literalWord(".gitconfig")) : literalWord(".git/config"),
    );
  },
  // The editor of some agents, called through their shell.
  "apply-patch": (call, { operands }) => {
    const patch = operands[0] ?? call.input?.word;
    if (patch) call.facts.unread(patch);
    const files = patch?.text.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm) ?? [];
    for (const [, path = ""] of files) call.path("writes", literalWord(path.trim()));
  },
};

/** cp, mv, ln, install: the last operand is written, or, where it is a folder, a file in it. */
function copy(call: Call, { operands, has, values }: CallWords): void {
  if (call.name.endsWith("install") && has("d", "directory"))
    return operands.forEach((word) => call.path("writes", word));
  const isSourceWritten = call.name === "mv" || (/^(?:ln|link)$/.test(call.name) && !has("s", "symbolic"));
  const [named] = values("t", "target-directory");
  const sources = named || operands.length < 2 ? operands : operands.slice(0, -1);
  const target = named ?? (operands.length > 1 ? operands.at(-1) : call.name === "ln" ? HERE : undefined);
  const path = target?.known === true ? joined(target.text, call.own.cwd) : undefined;
  // A folder that surely exists, by its name.
  const isThere = path !== undefined && `${call.own.cwd}/`.startsWith(`${tidied(path)}/`);
  const isFolder =
    isThere || named !== undefined || sources.length > 1 || target?.text.endsWith("/") === true;
  const isTree = call.name === "mv" || has("r", "R", "recursive", "a", "archive");
  const write = (word: Word): void =>
    isTree ? call.facts.whole(word, call.own.cwd) : call.path("writes", word);
  for (const source of sources) {
    call.path("reads", source);
    if (isSourceWritten) call.path("writes", source);
    if (!target) continue;
    const name = baseName(source.text.replace(/\/$/, ""));
    const isInside = !/^\.{0,2}$/.test(name) && !has("T", "no-target-directory");
    if (!isFolder || !isInside || (isTree && !source.known)) write(target);
    if (isInside) write(inFolder(target, source.known ? literalWord(name) : unknownWord("*")));
  }
}

function inFolder(folder: Word, name: Word): Word {
  return joinedWords([folder, name], "/");
}

/** A word in which the program puts something unknown for a mark. */
function opened(word: Word, mark: string): Word {
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
  const has = (pattern: RegExp): boolean => tests.some(({ text }) => pattern.test(text));
  if (!has(/^-(?:delete|exec|execdir|ok|okdir|fprint0?|fprintf|fls|files0-from)$/)) return;
  call.unread(args);
  const isAll = !has(/^-(?!delete$|depth$|maxdepth$|xdev$|print0?$)[a-z]/);
  if (has(/^-delete$/))
    for (const folder of starts) call.path("writes", isAll ? folder : inFolder(folder, unknownWord("*")));
  for (const [index, { text }] of tests.entries()) {
    const words = tests.slice(index + 1);
    if (words[0] && /^-(?:fprint0?|fprintf|fls)$/.test(text)) call.path("writes", words[0]);
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const isEnd = (one: Word, place: number): boolean =>
      one.text === ";" || (one.text === "+" && words[place - 1]?.text === "{}");
    const end = words.findIndex(isEnd);
    call.start(words.slice(0, end < 0 ? undefined : end).map((word) => opened(word, "{}")));
  }
}
