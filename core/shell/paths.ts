import { posix } from "node:path";

/** An absolute path as it is written, with `..`; `undefined` if it is relative to an unknown folder. */
export function joined(path: string, cwd: string | undefined): string | undefined {
  const slashed = path.replace(/^[A-Za-z]:\\/, (drive) => drive.replace("\\", "/"));
  const own = /^\/proc\/(?:self|thread-self)(?:\/task\/\d+)?\/cwd(?=\/|$)/.exec(slashed)?.[0];
  if (own !== undefined) return cwd === undefined ? undefined : joined(`.${slashed.slice(own.length)}`, cwd);
  if (isAbsolute(slashed)) return slashed;
  return cwd === undefined ? undefined : `${cwd.replaceAll("\\", "/")}/${slashed}`;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** Without `.`, `..`, doubled slashes and a trailing slash. */
export function tidied(path: string): string {
  const plain = posix.normalize(path).replace(/^\/\/+/, "/");
  return plain.length > 1 ? plain.replace(/\/$/, "") : plain;
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const DEVICES = /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|fd(\/.*)?)$/;

/** Paths that are not regular files: devices that store nothing, and open descriptors. */
export function isDevice(path: string): boolean {
  return DEVICES.test(path) || /^\/proc\/(self|thread-self)\/fd\//.test(path);
}

/**
 * In the pattern of a word: one character, any number that do not begin with a dot, any number because something is unknown, and
 * any number that a pattern of the shell matches.
 */
export const [ONE, MANY, OPEN, ANY] = ["\u0001", "\u0002", "\u0003", "\u0004"];
const SPECIAL = new Set([ONE, MANY, OPEN, ANY]);

/**
 * The protected places that the pattern of an unknown word can name: the place itself, also for something below it, or
 * the folder above it that the word names. A pattern of the shell never matches a leading dot; an unknown part, such as
 * `$NAME`, may. A completely unknown name matches nothing. Letter case is ignored.
 */
export function namedPlaces(
  pattern: string,
  cwd: string | undefined,
  places: readonly string[],
): readonly string[] {
  const whole = isAbsolute(pattern) || !/^\u0003(?:\/|$)/.test(pattern) ? joined(pattern, cwd) : undefined;
  const names = tidied(whole ?? pattern).split("/");
  return places.flatMap((place) => {
    const parts = place.split("/");
    if (whole === undefined) {
      // The folder is unknown: only a hidden name is recognised, by its first characters.
      const isNamed = names.some((name) => /^\.[^\u0001-\u0004]{2}/.test(name) && fits(name, parts.at(-1)));
      return isNamed ? [place] : [];
    }
    const common = names.slice(0, parts.length);
    if (!common.every((name, index) => fits(name, parts[index]))) return [];
    return [parts.slice(0, common.length).join("/") || "/"];
  });
}

/**
 * The files of any folder, by their last names, that the pattern of a word can name and of which it has two letters:
 * `sk*.json` for `skillctl.json`. The folder above such a file counts if the word ends with it.
 */
export function innerPlaces(
  pattern: string,
  cwd: string | undefined,
  inner: readonly string[],
): readonly string[] {
  const whole = joined(pattern, cwd);
  if (whole === undefined || whole.length > LONGEST_PATTERN) return [];
  const parts = tidied(whole).split("/");
  return inner.flatMap((name) => {
    const names = name.split("/");
    return parts.flatMap((_, start) => {
      const own = parts.slice(start, start + names.length);
      const isNamed = own.every((part, index) => fits(part, names[index]));
      const letters = own.flatMap(
        (part) => (part.startsWith(".") ? part : part.replace(/\.\w+$/, "")).match(/[\w-]/g) ?? [],
      );
      return isNamed && letters.length > 1
        ? [[...parts.slice(0, start), ...names.slice(0, own.length)].join("/")]
        : [];
    });
  });
}

const LONGEST_PATTERN = 4096;
const MOST_SPELLINGS = 100;

/**
 * The plain spellings of a file pattern as search tools read it: each item of its lists (`{a,b}`, `@(a|b)`), classes of one character as
 * that character, and a dot for a first character that can be one. Empty for a text without a pattern.
 */
export function spellings(pattern: string): readonly string[] {
  if (!/[{[?(*]/.test(pattern) || pattern.length > LONGEST_PATTERN) return [];
  let all = [pattern.replaceAll(/!\([^()]*\)/g, "*")];
  for (let isOpen = true; isOpen && all.length <= MOST_SPELLINGS;) {
    isOpen = false;
    all = all.flatMap((text) => {
      const [list, items] =
        /[@+*?]?\(([^(){}]*)\)|\{([^(){}]*)\}/.exec(text)?.filter((part) => part !== undefined) ?? [];
      if (list === undefined) return text;
      isOpen = true;
      return (items ?? "").split(/[,|]/).map((item) => text.replace(list, () => item));
    });
  }
  return all
    .slice(0, MOST_SPELLINGS)
    .map((text) =>
      text.replaceAll(/\[([^\]!^])\]/g, "$1").replaceAll(/(^|\/)(?:\?|\[[^\]]*\])(?=[^/])/g, "$1."),
    );
}

/** A file pattern in the form of `Word.pattern`. */
export function globPattern(text: string): string {
  return text.replaceAll(/\*+/g, ANY).replaceAll(/\?|\[[^\]]*\]/g, ONE);
}

/**
 * The folder in which a pattern of the shell names files, if it is below the working folder; only the disk knows the
 * files. Undefined for a pattern of the working folder itself, and for an unknown part, such as `$NAME`.
 */
export function fixedFolder(pattern: string, cwd: string | undefined): string | undefined {
  const names = tidied(joined(pattern, cwd) ?? "").split("/");
  const folder = names
    .slice(
      0,
      names.findIndex((name) => /[\u0001-\u0004]/.test(name)),
    )
    .join("/");
  return !pattern.includes(OPEN) && cwd !== undefined && folder.startsWith(`${cwd}/`) ? folder : undefined;
}

/** Whether a pattern matches a name; the time is at most the square of the length of the name. */
function fits(pattern: string, named = ""): boolean {
  const [own, name] = [pattern.toLowerCase(), named.toLowerCase()];
  if (own === name) return true;
  const [first = ""] = own;
  if (/^\u0003*$/.test(own) || (name.startsWith(".") && (first === ONE || first === MANY))) return false;
  let [at, next, star, mark] = [0, 0, -1, 0];
  while (at < name.length) {
    const token = own.charAt(next);
    if (token === MANY || token === OPEN || token === ANY) [star, mark, next] = [next, at, next + 1];
    else if (token === ONE || (token === name[at] && !SPECIAL.has(token))) [at, next] = [at + 1, next + 1];
    else if (star < 0) return false;
    else [next, at, mark] = [star + 1, mark + 1, mark + 1];
  }
  return /^[\u0002-\u0004]*$/.test(own.slice(next));
}
