import { TooMuch } from "./facts.ts";
import { escapedPattern, isPatternText } from "./pattern.ts";
import { GAP, type Word } from "./programs/effects.ts";

const LONGEST = 100_000;
const MOST = 10_000;

/** A part of a word after expansion. */
export type Piece =
  /** `splits`: it came from an expansion outside of quotes. */
  | { readonly kind: "text"; readonly text: string; readonly quoted: boolean; readonly splits?: boolean }
  | { readonly kind: "hole"; readonly known: string; readonly quoted: boolean; readonly gapped?: string }
  /** `$@` and arrays. */
  | { readonly kind: "items"; readonly items: readonly Word[]; readonly quoted: boolean };

/** A field before file names are put in. */
export interface Field extends Word {
  /** Its pattern, when it holds one outside of quotes. */
  readonly pattern?: string;
}

/** Word splitting (Bash manual 3.5.7) by blanks, tabs and line ends. */
export function fieldsOf(pieces: readonly Piece[]): readonly Field[] {
  const builder = new Builder();
  for (const piece of pieces) {
    if (piece.kind === "text") addText(builder, piece);
    else if (piece.kind === "hole") builder.hole(piece.known, piece.gapped);
    else addItems(builder, piece);
  }
  return builder.end();
}

function addText(builder: Builder, { text, quoted, splits }: Extract<Piece, { kind: "text" }>): void {
  if (!splits) {
    builder.add(text, quoted);
    return;
  }
  const parts = text.split(/[ \t\n]+/);
  for (const [index, part] of parts.entries()) {
    if (index > 0) builder.cut();
    if (part !== "") builder.add(part, false);
  }
}

function addItems(builder: Builder, { items, quoted }: Extract<Piece, { kind: "items" }>): void {
  for (const [index, item] of items.entries()) {
    if (index > 0) builder.cut();
    if (item.text === undefined) builder.hole(item.known ?? "", undefined);
    else addText(builder, { kind: "text", text: item.text, quoted, splits: !quoted });
  }
}

class Builder {
  readonly #fields: Field[] = [];
  #segments: { readonly text: string; readonly quoted: boolean }[] | undefined;
  #known: string | undefined;
  /** The text with gaps; `undefined` when more is unknown. */
  #gapped: string | undefined = "";

  add(text: string, quoted: boolean): void {
    this.#segments ??= [];
    this.#segments.push({ text, quoted });
    this.#gap(text.includes(GAP) ? undefined : text);
  }

  hole(known: string, gapped: string | undefined): void {
    const before = (this.#segments ?? []).map(({ text }) => text).join("");
    this.#segments ??= [];
    this.#known ??= before + known;
    this.#gap(gapped);
  }

  cut(): void {
    const segments = this.#segments;
    if (!segments) return;
    const [known, gapped] = [this.#known, this.#gapped];
    this.#segments = undefined;
    this.#known = undefined;
    this.#gapped = "";
    if (known !== undefined) {
      this.#fields.push({ text: undefined, known, ...(gapped !== undefined && { gapped }) });
      return;
    }
    const text = segments.map((segment) => segment.text).join("");
    if (text.length > LONGEST || this.#fields.length > MOST) throw new TooMuch();
    const globs = segments.some((segment) => !segment.quoted && isPatternText(segment.text));
    const pattern = globs
      ? segments.map((segment) => (segment.quoted ? escapedPattern(segment.text) : segment.text)).join("")
      : undefined;
    this.#fields.push(pattern === undefined ? { text } : { text, pattern });
  }

  #gap(text: string | undefined): void {
    if (this.#gapped !== undefined) this.#gapped = text === undefined ? undefined : this.#gapped + text;
    if ((this.#gapped?.length ?? 0) > LONGEST) throw new TooMuch();
  }

  end(): readonly Field[] {
    this.cut();
    return this.#fields;
  }
}

/** All pieces as one text, as in an assignment. @throws TooMuch over 100,000 characters */
export function oneText(pieces: readonly Piece[]): Word {
  let known = "";
  for (const piece of pieces) {
    if (known.length > LONGEST) throw new TooMuch();
    if (piece.kind === "text") known += piece.text;
    else if (piece.kind === "hole") return { text: undefined, known: known + piece.known, ...gaps(pieces) };
    else {
      for (const [index, item] of piece.items.entries()) {
        known += (index > 0 ? " " : "") + (item.text ?? item.known ?? "");
        if (item.text === undefined) return { text: undefined, known };
      }
    }
  }
  return { text: known };
}

function gaps(pieces: readonly Piece[]): Pick<Word, "gapped"> {
  let gapped = "";
  for (const piece of pieces) {
    const part = piece.kind === "text" ? piece.text : piece.kind === "hole" ? piece.gapped : undefined;
    if (part === undefined || (piece.kind === "text" && part.includes(GAP))) return {};
    if ((gapped += part).length > LONGEST) throw new TooMuch();
  }
  return { gapped };
}

/** All pieces as a pattern: what is quoted stands for itself. `undefined` when not all of it is known. */
export function onePattern(pieces: readonly Piece[]): string | undefined {
  let pattern = "";
  for (const piece of pieces) {
    if (piece.kind !== "text") return undefined;
    pattern += piece.quoted ? escapedPattern(piece.text) : piece.text;
  }
  return pattern;
}
