import { posix } from "node:path";
import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import { named } from "./reading.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";

/** `chmod -x a`, `chmod 755 a`: the first word that is no option is the mode, unless an option was it. */
const chmod = (scene: Scene): void => {
  const { operands, has } = follow("v | reference:r", scene);
  const mode =
    has("reference") ||
    scene.args.some(
      ({ text }) => /^-(?:[rwxXstugo]|[aAcCdDeijPsStTu])+$/.test(text ?? "") && !/^-R+$/.test(text ?? ""),
    );
  for (const word of operands.slice(mode && !isMode(operands[0]) ? 0 : 1)) scene.write(word);
};

function isMode(word: Word | undefined): boolean {
  return /^(?:[0-7]{1,5}|(?:[ugoa]*[-+=][rwxXstugo]*,?)+|[-+=][a-zA-Z]+)$/.test(word?.text ?? "");
}

/** `mkdir -p a/b`: the folders above that are not there yet are made as well. */
const mkdir = (scene: Scene): void => {
  const { operands, has } = follow("w | m: Z:: mode: context::", scene);
  if (!has("p", "parents")) return;
  for (const { text } of operands) {
    for (let above = posix.dirname(text ?? "."); !/^[./]*$/.test(above); above = posix.dirname(above))
      if (scene.kind({ text: above }) === undefined) scene.write({ text: above });
  }
};

/** An editor: commands among its words and on its standard input are code; what a person types cannot be seen. */
const editor = (scene: Scene): void => {
  const { operands } = follow(
    "!n v | c:c cmd:c command:c s:x S:x u:x eval:c execute:c f:c funcall:c l:x load:x script:x batch!c",
    scene,
  );
  for (const word of operands) {
    const place = /^\+\d*$/.test(word.text ?? "");
    if ((word.text ?? word.known ?? "+").startsWith("+") && !place) scene.unknown("code");
    else if (!place) scene.write(word);
  }
  if (scene.call.stdin.kind !== "none") scene.unknown("code");
};

/** Programs that write what they name. */
export const CHANGING: Table = {
  "rm grm": "w | interactive::",
  "unlink rmdir srm trash trash-put": "w | interactive::",
  shred: "w | n: s: iterations: size: random-source:r remove::",
  mkdir,
  "mkfifo mknod": "w | m: Z:: mode: context::",
  touch: "w | d: t: r:r date: reference:r time:",
  truncate: "w | s: r:r size: reference:r",
  "chmod gchmod chattr": chmod,
  "chown chgrp": "v?reference w | reference:r from:",
  setfacl: "w | m: M:r x: X:r modify: modify-file:r remove: remove-file:r restore:r",
  xattr: "w",
  tee: "w | output-error::",
  sponge: "w",
  sort: (scene) =>
    named(
      follow(
        "r | o:w output:w k: t: S: T:w key: field-separator: buffer-size: temporary-directory:w batch-size: parallel: files0-from:r compress-program:s random-source:r sort::",
        scene,
      ),
      scene,
    ),
  uniq: "r w | f: s: w: D:: all-repeated:: group:: skip-fields: skip-chars: check-chars:",
  xxd: "r w | c: g: l: s: o: n: cols: groupsize: len: seek: name:",
  "base64 base32 basenc openssl-base64": "r | w: wrap: o:w output:w b: i:r D::",
  mktemp: "w?t | p:w tmpdir::w suffix:",
  "dos2unix unix2dos mac2unix unix2mac": "w | n!w newfile!w D: display-enc:",
  "rename prename perl-rename": "!c !w v",
  "ex ed": "!c w",
  "vi vim nvim view vimdiff gvim mvim rvim nano pico emacs emacsclient micro helix hx joe mg kak ne": editor,
  "open xdg-open start code-open": "!n v",
  script: "!c w | c:s command:s q!v",
  "mkfs fdisk mount umount losetup swapon": "!c !w v",
  "gpg gpg2": "r | o:w output:w r: u: recipient: local-user: homedir: k: decrypt-files!w encrypt-files!w",
  "pandoc convert magick ffmpeg sox dot asciidoctor": "!w r | o:w output:w",
  "split gsplit": (scene) => {
    const { operands } = follow(
      "r v | filter:s a: b: C: l: n: t: suffix-length: bytes: line-bytes: lines: number: separator: additional-suffix: d!v x!v",
      scene,
    );
    const [, prefix] = operands;
    scene.unknown("write");
    if (prefix?.text !== undefined) scene.write({ text: `${prefix.text}aa` });
  },
  csplit: "!w r | filter:s",
  "comby codemod jscodeshift ast-grep sg semgrep sd refactor gritql grit": "!w v",
  crontab: (scene) => {
    if (scene.args.length !== 1 || scene.args[0]?.text !== "-l") scene.unknown("code");
  },
  "at batch dc": "!c v",
  "service launchctl initctl": "!n v",
};
