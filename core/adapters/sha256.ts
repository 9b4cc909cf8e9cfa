/**
 * SHA-256 (FIPS 180-4) of a short text in UTF-8, in hex. node:crypto takes a tenth of a start to load, which a name of a
 * document is not worth.
 */
export function sha256(text: string): string {
  if (round.length === 0) prepare();
  const bytes = Buffer.from(text, "utf8");
  const padded = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(Math.floor(bytes.length / 0x20000000), padded.length - 8);
  padded.writeUInt32BE((bytes.length * 8) >>> 0, padded.length - 4);
  const hash = Uint32Array.from(start);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(padded, at, words, hash);
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

/** The first 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
let start: readonly number[] = [];
let round: readonly number[] = [];

function prepare(): void {
  const found = primes(64);
  start = found.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
  round = found.map((prime) => fraction(Math.cbrt(prime)));
}

/** Written for a process that hashes once: no object is made within a round. */
function block(bytes: Buffer, from: number, words: Uint32Array, hash: Uint32Array): void {
  const word = (index: number): number => words[index] as number;
  for (let index = 0; index < 16; index += 1) words[index] = bytes.readUInt32BE(from + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const x = word(index - 15);
    const y = word(index - 2);
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[index] = word(index - 16) + low + word(index - 7) + high;
  }
  const at = (index: number): number => hash[index] as number;
  let a = at(0);
  let b = at(1);
  let c = at(2);
  let d = at(3);
  let e = at(4);
  let f = at(5);
  let g = at(6);
  let h = at(7);
  for (let index = 0; index < 64; index += 1) {
    const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sum + ((e & f) ^ (~e & g)) + (round[index] as number) + word(index)) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  hash[0] = at(0) + a;
  hash[1] = at(1) + b;
  hash[2] = at(2) + c;
  hash[3] = at(3) + d;
  hash[4] = at(4) + e;
  hash[5] = at(5) + f;
  hash[6] = at(6) + g;
  hash[7] = at(7) + h;
}

function turned(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(root: number): number {
  return Math.floor((root % 1) * 0x100000000);
}

function primes(count: number): readonly number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1)
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  return found;
}
