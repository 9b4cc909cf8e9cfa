import { posix } from "node:path";

/** An absolute path as it is written, `..` not yet taken out; `undefined` when it is relative to a folder that is not known. */
export function joined(path: string, cwd: string | undefined): string | undefined {
  const slashed = path.replace(/^[A-Za-z]:\\/, (drive) => drive.replace("\\", "/"));
  const own = /^\/proc\/(?:self|thread-self)(?:\/task\/\d+)?\/cwd(?=\/|$)/.exec(slashed)?.[0];
  if (own !== undefined) return cwd === undefined ? undefined : joined(`.${slashed.slice(own.length)}`, cwd);
  if (isAbsolute(slashed)) return slashed;
  return cwd === undefined ? undefined : `${cwd.replaceAll("\\", "/")}/${slashed}`;
}

export function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:\//.test(path);
}

/** Without `.`, `..`, doubled slashes and a slash at the end. */
export function tidied(path: string): string {
  const plain = posix.normalize(path).replace(/^\/\/+/, "/");
  return plain.length > 1 ? plain.replace(/\/$/, "") : plain;
}

/** The last name of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

const DEVICES = /^\/dev\/(null|zero|full|random|urandom|stdin|stdout|stderr|tty|ptmx|fd(\/.*)?)$/;

/** Paths that are not files: devices without a memory, and descriptors that are open already. */
export function isNoFile(path: string): boolean {
  return DEVICES.test(path) || /^\/proc\/(self|thread-self)\/fd\//.test(path);
}
