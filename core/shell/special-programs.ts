import { posix } from "node:path";
import { address } from "./addresses.ts";
import type { Call } from "./call.ts";
import { baseName } from "./paths.ts";
import type { CallWords } from "./options.ts";
import type { Word } from "./words.ts";

const known = (text: string): Word => ({ text, known: true });
/** Settings of git that start no program, read no file and lead nowhere else. */
const PLAIN_SETTING =
  /^(?:user\.|init\.defaultbranch$|(?:pull|push|fetch|rebase|color|advice|help|branch|rerere|log|status|safe|column)\.|core\.(?:autocrlf|eol|ignorecase|filemode|quotepath|longpaths|whitespace|safecrlf)$|commit\.gpgsign$|merge\.conflictstyle$|diff\.(?:algorithm|colormoved|renames)$)/i;
const OPEN: Word = { text: "", known: false };

/** What a row of the table cannot say: which words a program takes for files depends on its other words. */
export const SPECIAL_PROGRAMS: Readonly<Record<string, (call: Call, words: CallWords) => void>> = {
  copy,
  move: (call, words) => copy(call, words, true),
  link: (call, words) => copy(call, words, !words.has("s", "symbolic")),
  mode: (call, { operands, has }) => {
    for (const word of operands.slice(has("reference") ? 0 : 1)) call.write(word);
  },
  make: (call, { operands }) => {
    for (const word of operands) if (!call.isFolder(word)) call.write(word);
  },
  dd: (call) => {
    for (const { text, known: isKnown } of call.args) {
      const [, name, value = ""] = /^(if|of)=([^]*)$/.exec(text) ?? [];
      if (name !== undefined) call[name === "of" ? "write" : "read"]({ text: value, known: isKnown });
    }
  },
  env: (call, { operands, has }) => {
    const at = operands.findIndex(({ text }) => !/^\w+=/.test(text));
    const given = at < 0 ? operands : operands.slice(0, at);
    for (const { text } of given) call.reader.facts.add("sets", text);
    if (at >= 0) call.start(operands.slice(at));
    else if (call.name === "env" && !has("S", "split-string")) call.reader.facts.add("uses", "*");
  },
  printenv: (call, { operands }) => {
    for (const { text } of operands) call.reader.facts.add("uses", text);
    if (operands.length === 0) call.reader.facts.add("uses", "*");
  },
  shell: (call, { operands, has }) => {
    const [first, ...rest] = operands;
    if (has("c") && first) call.text(first, rest);
    else if (has("s") || !first) call.input();
    else call.script(first);
  },
  interpreter: (call, { operands }) => {
    const [first, ...rest] = operands;
    if (first?.text === "-" || (!first && call.stdin !== "")) call.unknown("code");
    if (/^skillctl(?:-main)?(?:\.[cm]?[jt]s)?$/.test(baseName(first?.text ?? "")))
      call.tell("skillctl", rest);
  },
  find,
  xargs: (call, { operands, has, values }) => {
    const [mark] = [...values("I", "replace"), ...(has("i") ? [known("{}")] : [])];
    const words = call.stdin === undefined ? [] : call.stdin.split(/\s+/).filter((text) => text !== "");
    const more = call.stdin === undefined ? [OPEN] : words.map(known);
    const put = (word: Word, value: string): Word => ({
      ...word,
      text: word.text.replaceAll(mark?.text ?? "", value),
    });
    if (!mark) return call.start([...operands, ...more], undefined);
    if (words.length === 0)
      return call.start(
        operands.map((word) => (word.text.includes(mark.text) ? { ...word, known: false } : word)),
        undefined,
      );
    for (const value of words)
      call.start(
        operands.map((word) => put(word, value)),
        undefined,
      );
  },
  tar: (call, { operands, has, values }) => {
    // `tar xf a.tar`: the first word may be options without a hyphen.
    const [mode, ...words] = operands;
    const isOld =
      mode !== undefined &&
      /^[a-zA-Z]*[ctxru][a-zA-Z]*$/.test(mode.text) &&
      !has("c", "x", "t", "r", "u", "create", "extract", "get", "list");
    const letters = isOld ? mode.text : "";
    const rest = [...(isOld ? words : operands)];
    const archive = letters.includes("f") ? rest.shift() : values("f", "file")[0];
    if (has("t", "list") || letters.includes("t")) return archive && call.read(archive);
    if (has("x", "extract", "get") || letters.includes("x")) {
      if (archive) call.read(archive);
      return call.write(known("."));
    }
    if (archive && archive.text !== "-") call.write(archive);
    for (const word of rest) call.read(word);
  },
  unzip: (call, { has, values }) => {
    if (!has("l", "p", "t", "v", "Z")) call.write(values("d")[0] ?? known("."));
  },
  download: (call, { operands, has, values }) => {
    for (const { text, known: isKnown } of values(
      "d",
      "data",
      "data-binary",
      "F",
      "form",
      "data-urlencode",
      "json",
      "H",
      "header",
    )) {
      const [, file] = /^(?:[\w.-]*=)?@([^;]+)/.exec(text) ?? [];
      if (file !== undefined) call.read({ text: file, known: isKnown });
    }
    const isKept =
      call.name === "curl"
        ? has("O", "remote-name", "remote-name-all")
        : !has("O", "output-document", "spider", "r", "recursive");
    for (const word of isKept ? operands : []) {
      const url = word.known ? address(word.text) : undefined;
      const name = url === undefined ? "" : posix.basename(new URL(url).pathname);
      call.write(url === undefined ? OPEN : known(name === "" ? "index.html" : name));
    }
  },
  httpie: (call, { operands }) => {
    const [word] = operands.filter(({ text }, index) => index > 0 || !/^[A-Z]+$/.test(text));
    const text = word?.text.replace(/^:(?=\/|$)/, "localhost").replace(/^:(?=\d)/, "localhost:") ?? "";
    if (word) call.fetch({ ...word, text }, call.name.endsWith("s") ? "https" : "http");
  },
  socket: (call, { operands, has }) => {
    const [host, port] = operands;
    if (!host || has("l", "listen")) return;
    const isKnown = host.known && port?.known !== false;
    call.fetch({ text: port ? `http://${host.text}:${port.text}/` : `http://${host.text}/`, known: isKnown });
  },
  watch: (call, { operands }) =>
    call.text({
      text: operands.map(({ text }) => text).join(" "),
      known: operands.every((word) => word.known),
    }),
  patch: (call, { operands, has }) => {
    if (operands.length === 0 && !has("dry-run")) call.write(known("."));
  },
  "npm-version": (call, { operands }) => {
    if (operands.length > 0) call.write(known("package.json"));
  },
  rsync: (call, { operands, has }) => {
    const isRemote = ({ text }: Word): boolean => /^[^/]+:/.test(text);
    const target = operands.at(-1);
    for (const word of operands.slice(0, -1)) if (!isRemote(word)) call.read(word);
    if (target && operands.length > 1 && !isRemote(target) && !has("n", "dry-run")) call.write(target);
  },
  "git-checkout": (call, { operands, has }) => {
    const end = call.args.findIndex(({ text }) => text === "--");
    const paths = end < 0 ? [] : call.args.slice(end + 1);
    if (paths.length > 0) for (const word of paths) call.write(word);
    else if (has("b", "B", "c", "C", "orphan", "create")) call.write(known(".git"));
    else if (operands.length > 0) call.write(known("."));
  },
  "git-restore": (call, { operands, has }) => {
    if (!has("S", "staged") || has("W", "worktree")) for (const word of operands) call.write(word);
  },
  "git-reset": (call, { has }) => {
    if (has("hard", "merge", "keep")) call.write(known("."));
  },
  "git-stash": (call, { operands }) => {
    if (!/^(?:list|show|drop|clear|create|store)$/.test(operands[0]?.text ?? "")) call.write(known("."));
  },
  "git-clone": (call, { operands }) => {
    const [source, target] = operands;
    const name = baseName(source?.text.replace(/\/+$/, "") ?? "").replace(/\.git$/, "");
    if (source) call.write(target ?? { text: name, known: source.known });
  },
  "git-config": (call, { operands, has }) => {
    const [verb, ...words] = operands;
    const isLook =
      /^(?:get|list)$/.test(verb?.text ?? "") || has("get", "get-all", "get-regexp", "l", "list");
    const [name, value] = /^(?:set|unset)$/.test(verb?.text ?? "") ? words : operands;
    const isChange = value !== undefined || name !== verb || has("unset", "unset-all", "e", "edit");
    if (isLook || !isChange || has("f", "file") || PLAIN_SETTING.test(name?.text ?? "")) return;
    call.write(known(has("global") ? `${call.reader.home}/.gitconfig` : ".git/config"));
  },
  // The editor of some agents, called through their shell.
  "apply-patch": (call, { operands }) => {
    const patch = operands[0]?.text ?? call.stdin ?? "";
    for (const [, path = ""] of patch.matchAll(/^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm))
      call.write(known(path.trim()));
  },
};

/** cp, mv, ln, install: the last operand is written, or what comes to stand in it. */
function copy(call: Call, { operands, has, values }: CallWords, isSourceWritten = false): void {
  if (call.name.endsWith("install") && has("d", "directory"))
    return operands.forEach((word) => call.write(word));
  const [named] = values("t", "target-directory");
  const sources = named || operands.length < 2 ? operands : operands.slice(0, -1);
  const target =
    named ?? (operands.length > 1 ? operands.at(-1) : call.name === "ln" ? known(".") : undefined);
  for (const source of sources) {
    call.read(source);
    if (isSourceWritten) call.write(source);
    if (!target) continue;
    const isBelow =
      named !== undefined || sources.length > 1 || target.text.endsWith("/") || call.isFolder(target);
    const name = baseName(source.text.replace(/\/+$/, ""));
    const place =
      isBelow && !/^\.{0,2}$/.test(name)
        ? { text: `${target.text}/${name}`, known: target.known && source.known }
        : target;
    call.write(place);
  }
}

/** find: what is deleted is known where a name is given in full; what it starts gets words that nobody knows. */
function find(call: Call): void {
  const { args } = call;
  const at = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const [folders, tests] = at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)];
  const starts = folders.length === 0 ? [known(".")] : folders;
  for (const folder of starts) call.read(folder);
  const named = tests[tests.findIndex(({ text }) => text === "-name") + 1];
  const isNamed =
    named?.known === true && tests.some(({ text }) => text === "-name") && !/[*?[]/.test(named.text);
  const isSome = tests.some(({ text }) =>
    /^-(?!delete$|type$|depth$|maxdepth$|mindepth$|xdev$|print0?$)[a-z]/.test(text),
  );
  const put = ({ text }: Word): Word => ({
    text: text.replaceAll("{}", `${starts[0]?.text}/${named?.text}`),
    known: starts[0]?.known === true,
  });
  if (tests.some(({ text }) => text === "-delete"))
    for (const folder of starts)
      call.write(isNamed ? { ...folder, text: `${folder.text}/${named.text}` } : isSome ? OPEN : folder);
  for (const [index, { text }] of tests.entries()) {
    if (/^-f(?:print0?|printf|ls)$/.test(text)) call.write(tests[index + 1] ?? OPEN);
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(text)) continue;
    const words = tests.slice(index + 1);
    const end = words.findIndex((word) => word.text === ";" || word.text === "+");
    const own = end < 0 ? words : words.slice(0, end);
    call.start(
      own.map((word) =>
        !word.text.includes("{}")
          ? word
          : isNamed && starts.length === 1
            ? put(word)
            : { ...word, known: false },
      ),
    );
  }
}
