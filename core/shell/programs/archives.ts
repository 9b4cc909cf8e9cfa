import type { Word } from "./effects.ts";
import { follow } from "./follow.ts";
import type { Scene } from "./scene.ts";
import type { Table } from "./table.ts";
import { literal } from "./words.ts";

const TAR =
  "| f: file: C: directory: T:r files-from:r X:r exclude-from:r exclude: I:s use-compress-program:s F:s info-script:s new-volume-script:s to-command:s checkpoint-action:c checkpoint:: rsh-command:s rmt-command:s g:w listed-incremental:w b: H: N: K: L: V: strip-components: transform: xform: s: owner: group: mode: mtime: format: sort: index-file:w one-top-level:: volno-file:w add-file:r warning: newer: level:";

/** tar: what is packed is read, the archive or the folder that it is unpacked in is written. */
function tar(scene: Scene): void {
  const [first, ...rest] = scene.args;
  const old = first?.text !== undefined && /^[a-zA-Z]+$/.test(first.text);
  const line = follow(`v ${TAR}`, scene, old ? oldStyle(first.text ?? "", rest) : scene.args);
  const archives = line.all("f", "file");
  const folder = line.all("C", "directory").at(-1);
  if (line.has("t", "list", "d", "diff", "compare")) for (const word of archives) scene.read(word);
  else if (line.has("x", "extract", "get")) {
    for (const word of archives) scene.read(word);
    if (!line.has("O", "to-stdout", "to-command")) scene.write(folder ?? literal("."));
    if (line.has("P", "absolute-names")) scene.unknown("write");
    const [top] = line.all("one-top-level");
    if (top !== undefined) scene.write(top);
  } else {
    for (const word of archives) if (!/^[\w.-]+@?[\w.-]*:/.test(word.text ?? "")) scene.write(word);
    if (line.has("delete")) return;
    if (folder !== undefined) scene.change(folder);
    for (const word of line.operands) {
      scene.read(word);
      if (line.has("remove-files")) scene.write(word);
    }
  }
}

/** `tar xzf a b`: the values of the letters follow in their order. */
function oldStyle(letters: string, rest: readonly Word[]): readonly Word[] {
  const words = [...rest];
  const options = [...letters].flatMap((letter) => {
    const option = literal(`-${letter}`);
    const value = "fbCTXIFgHNKLVs".includes(letter) ? words.shift() : undefined;
    return value === undefined ? [option] : [option, value];
  });
  return [...options, ...words];
}

function unzip(scene: Scene): void {
  const { operands, has, all } = follow("r v | + d: x: P: I: O:", scene);
  const folder = all("d")[0] ?? behind(operands, "-d");
  if (has("l", "t", "p", "v", "Z", "z", "c")) return;
  scene.write(folder ?? literal("."));
}

function behind(words: readonly Word[], name: string): Word | undefined {
  const at = words.findIndex(({ text }) => text === name);
  return at === -1 ? undefined : words[at + 1];
}

function seven(scene: Scene): void {
  const [verb, archive, ...rest] = scene.args;
  const folder = rest.find(({ text }) => text?.startsWith("-o"));
  if (/^[lt]$/.test(verb?.text ?? "")) return scene.read(archive ?? literal(""));
  if (/^[ex]$/.test(verb?.text ?? "")) {
    scene.read(archive ?? literal(""));
    return scene.write(folder === undefined ? literal(".") : literal(folder.text?.slice(2) ?? ""));
  }
  scene.write(archive ?? literal(""));
  for (const word of rest) if (word.text?.startsWith("-") !== true) scene.read(word);
  if (rest.some(({ text }) => text?.startsWith("-sdel"))) scene.unknown("write");
}

/** gzip and its kin put the file's place taken by another one beside it. */
function pack(suffix: string): (scene: Scene) => void {
  return (scene) => {
    const { operands, has } = follow(
      "v | S: suffix: b: T: M: D:r o:w files:r F: C: memlimit: threads: block-size: format: check:",
      scene,
    );
    const looks = has("c", "stdout", "to-stdout", "l", "list", "t", "test");
    for (const word of operands) {
      scene.read(word);
      if (looks) continue;
      if (!has("k", "keep")) scene.write(word);
      const other = word.text?.replace(/\.(?:gz|bz2|xz|zst|lzma|Z|tgz|br|lz4)$/, "");
      scene.write({ text: other === word.text ? `${other}${suffix}` : other });
    }
  };
}

/** cpio: `-i` unpacks, `-o` packs, `-p` copies. */
function cpio(scene: Scene): void {
  const { operands, has } = follow(
    "v | F: O:w I:r E:r H: C: D:d R: M: file: directory:d rsh-command:c",
    scene,
  );
  if (has("p", "pass-through")) operands.slice(0, 1).forEach((word) => scene.write(word));
  else if (has("i", "extract") && !has("t", "list")) scene.write(literal("."));
  if (has("o", "create")) scene.unknown("read");
  if (has("F", "file")) scene.unknown("write");
  if (has("absolute-filenames")) scene.unknown("write");
}

export const ARCHIVES: Table = {
  "tar gtar bsdtar": tar,
  unzip,
  "zipinfo unzip-l": "r v",
  zip: (scene) => {
    if (scene.args.some(({ text, known }) => /^-TT|^--unzip-command/.test(text ?? known ?? "-TT")))
      scene.unknown("code");
    follow("w r | b: x: i: n: t: tt: P: O:w out:w lf:w m!w move!w d!v T!v s: sp:", scene);
  },
  "7z 7za 7zr 7zz": seven,
  "gzip gunzip pigz unpigz": pack(".gz"),
  "bzip2 bunzip2 pbzip2": pack(".bz2"),
  "xz unxz lzma unlzma": pack(".xz"),
  "zstd unzstd": pack(".zst"),
  "brotli lz4": pack(".br"),
  cpio,
  "ar ranlib strip": "!w v",
  jar: "!w v",
  unrar: "!w r",
};
