import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
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

/** A patch names the files that it changes. */
const patch = (scene: Scene): void => {
  const { operands, has } = follow(
    "w r | d:d directory:d i:r input:r o:w output:w r:w reject-file:w p: F: B: z: Y: V: D: strip: fuzz: prefix: suffix: get: ifdef:",
    scene,
  );
  if (operands.length === 0 && !has("o", "output", "dry-run", "C", "check")) scene.write({ text: "." });
};

/** Programs that write what they name. */
export const CHANGING: Table = {
  "rm grm unlink rmdir srm trash trash-put": "w | interactive::",
  shred: "w | n: s: iterations: size: random-source:r remove::",
  "mkdir mkfifo mknod": "w | m: Z:: mode: context::",
  touch: "w | d: t: r:r date: reference:r time:",
  truncate: "w | s: r:r size: reference:r",
  "chmod gchmod chattr": chmod,
  "chown chgrp": "v?reference w | reference:r from:",
  setfacl: "w | m: M:r x: X:r modify: modify-file:r remove: remove-file:r restore:r",
  xattr: "w",
  tee: "w | output-error::",
  sponge: "w",
  sort: "r | o:w output:w k: t: S: T:w key: field-separator: buffer-size: temporary-directory:w batch-size: parallel: files0-from:r compress-program:s random-source:r sort::",
  uniq: "r w | f: s: w: D:: all-repeated:: group:: skip-fields: skip-chars: check-chars:",
  xxd: "r w | c: g: l: s: o: n: cols: groupsize: len: seek: name:",
  "base64 base32 basenc openssl-base64": "r | w: wrap: o:w output:w b: i:r D::",
  mktemp: "w?t | p:w tmpdir::w suffix:",
  patch,
  "dos2unix unix2dos mac2unix unix2mac": "w | n!w newfile!w D: display-enc:",
  "rename prename perl-rename": "!c !w v",
  "ex ed vi vim nvim view vimdiff gvim mvim rvim nano pico emacs emacsclient micro helix hx joe mg kak ne":
    "!c w | c: s:x S:x u:x cmd: eval: f: funcall: l:x load:x",
  "open xdg-open start code-open": "!c v",
  script: "!c w | c:s command:s q!v",
  "mkfs fdisk mount umount losetup swapon": "!c !w v",
  "gpg gpg2": "r | o:w output:w r: u: recipient: local-user: homedir: k: decrypt-files!w encrypt-files!w",
  "pandoc convert magick ffmpeg sox dot asciidoctor": "!w r | o:w output:w",
  "split gsplit csplit": "!w r | filter:s",
  "comby codemod jscodeshift ast-grep sg semgrep sd refactor gritql grit": "!w v",
  "crontab at batch dc": "!c v",
  "systemctl service launchctl initctl": "!c v",
};
