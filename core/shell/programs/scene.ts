import { posix } from "node:path";
import type { ShellFiles } from "../shell-files.ts";
import type { Effects, ProgramCall, Started, Unknown, Word } from "./effects.ts";
import { address, filledAddress } from "./address.ts";

/** Names that stand for no file. */
const NO_FILE =
  /^(?:-|\/dev\/(?:null|zero|full|random|urandom|stdin|stdout|stderr|tty|fd\/\d+)|\/proc\/self\/fd\/\d+)$/;
const FILE_URL = /^file:(?:\/\/(?:localhost)?)?(\/.*)$/i;

const OPENED = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/(?:self|thread-self)\/fd\/\d+)$/;

/** A call under judgement, and what has been found out about it. */
export class Scene {
  readonly call: ProgramCall;
  readonly files: ShellFiles;
  /** The words that are judged now: all of the call, or those behind a subcommand. */
  args: readonly Word[];
  readonly #writes = new Set<string>();
  readonly #reads = new Set<string>();
  readonly #urls = new Set<string>();
  readonly #scripts = new Set<string>();
  readonly #sets = new Set<string>();
  readonly #uses = new Set<string>();
  readonly #unknown = new Set<Unknown>();
  readonly #runs: Started[] = [];
  /** The folder that paths are relative to, seen from that of the call; `undefined` when it is not known. */
  base: string | undefined = "";

  constructor(call: ProgramCall, files: ShellFiles) {
    this.call = call;
    this.files = files;
    this.args = call.args;
  }

  write(word: Word): void {
    // Opened for writing by its path: what it writes then is seen where the descriptors are known.
    if (OPENED.test(word.text ?? "")) this.#writes.add(word.text ?? "");
    this.#path(word, this.#writes, "write");
  }

  read(word: Word): void {
    this.#path(word, this.#reads, "read");
  }

  script(word: Word): void {
    if (word.text === "-" || word.text === "/dev/stdin") return this.unknown("code");
    this.#path(word, this.#scripts, "code");
    if (this.kind(word) === "folder") this.unknown("code");
  }

  /** A folder with code that is loaded. */
  module(word: Word): void {
    this.#path(word, this.#scripts, "code");
  }

  /** A file or folder of tests or modules that is run: it counts as a script where it is none of the project. */
  suite({ text }: Word): void {
    const place = text === undefined ? undefined : this.absolute(text);
    if (place === undefined || this.call.cwd === undefined) return;
    let project = this.call.cwd;
    for (let folder = project; folder !== "/"; folder = posix.dirname(folder))
      if (this.files.kind(posix.join(folder, ".git")) !== undefined) project = folder;
    const real = this.files.realPath(place) ?? place;
    for (const each of [posix.resolve(place), posix.resolve(real)])
      if (each !== project && !each.startsWith(`${project}/`)) this.#scripts.add(each);
  }

  url(word: Word): void {
    const file = FILE_URL.exec(word.text ?? "")?.[1];
    if (file !== undefined) return this.read({ text: decoded(file) });
    const url = word.text === undefined ? filledAddress(word) : address(word.text);
    if (url === undefined) this.unknown("address");
    else this.#urls.add(url);
  }

  run(started: Started): void {
    if ("shell" in started || started.length > 0) this.#runs.push(started);
  }

  /** Text for a shell, run in the folder that paths are relative to now. */
  shell(word: Word): void {
    const cwd = this.absolute("");
    this.#runs.push(cwd === undefined || cwd === this.call.cwd ? { shell: word } : { shell: word, cwd });
  }

  /** The same for a text of the project itself. */
  own(shell: Word): void {
    const cwd = this.absolute("");
    this.#runs.push({ shell, own: true, ...(cwd !== undefined && cwd !== this.call.cwd && { cwd }) });
  }

  set(word: Word): void {
    if (word.text !== undefined) this.#sets.add(word.text);
    else this.#sets.add(word.known ?? "");
  }

  use(name: string | undefined): void {
    this.#uses.add(name ?? "*");
  }

  unknown(...reasons: readonly Unknown[]): void {
    for (const reason of reasons) this.#unknown.add(reason);
  }

  /** Where a path leads, if that is known. */
  absolute(path: string): string | undefined {
    const { cwd } = this.call;
    if (!path.startsWith("/") && (cwd === undefined || this.base === undefined)) return undefined;
    const folders = [cwd ?? "/", this.base ?? "", path].filter((each) => each !== "");
    const written = posix.resolve(...folders);
    const start = folders.findLastIndex((each) => each.startsWith("/"));
    const whole = folders.slice(start).join("/");
    if (!/\/\.\.(\/|$)/.test(whole)) return written;
    // A link is followed before the `..` behind it is taken.
    const real = this.files.realPath(whole);
    return real === undefined || real === this.files.realPath(written) ? written : posix.normalize(real);
  }

  /** What stands where a path leads, links followed. */
  kind({ text }: Word): ReturnType<ShellFiles["kind"]> {
    const place = text === undefined ? undefined : this.absolute(text);
    return place === undefined ? undefined : this.files.kind(this.files.realPath(place) ?? place);
  }

  /** The text of a file, if it can be read. */
  text({ text }: Word): string | undefined {
    const place = text === undefined ? undefined : this.absolute(text);
    return place === undefined ? undefined : this.files.text(place);
  }

  /** `-C folder`: relative paths begin there. */
  change(folder: Word | undefined): void {
    const text = folder?.text;
    if (text?.startsWith("/")) this.base = text;
    else if (text === undefined || this.base === undefined) this.base = undefined;
    else this.base = behind(this.base, text);
  }

  effects(): Effects {
    return {
      writes: [...this.#writes],
      reads: [...this.#reads],
      urls: [...this.#urls],
      scripts: [...this.#scripts],
      sets: [...this.#sets],
      uses: [...this.#uses],
      unknown: [...this.#unknown],
      runs: this.#runs,
    };
  }

  #path(word: Word, into: Set<string>, reason: Unknown): void {
    const { text } = word;
    if (text === "" || (text !== undefined && NO_FILE.test(text))) return;
    if (text === undefined || text.includes("\0")) return this.unknown(reason);
    if (text.startsWith("/") || this.base === "") into.add(text);
    else if (this.base === undefined) this.unknown(reason);
    else into.add(behind(this.base, text));
  }
}

/** A path in a folder; a folder may be a link, and then `..` behind it is not taken out by its letters. */
function behind(folder: string, path: string): string {
  const whole = folder === "" ? path : `${folder}/${path}`;
  return /(^|\/)\.\.(\/|$)/.test(whole) ? whole : posix.normalize(whole);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
