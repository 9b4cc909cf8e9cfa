/**
 * SHA-256 (FIPS 180-4) of a short text in UTF-8, in hex. node:crypto takes a tenth of a start to load, which a name of a
 * document is not worth.
 */
export function sha256(text: string): string {
  const bytes = Buffer.from(text, "utf8");
  const padded = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  bytes.copy(padded);
  padded[bytes.length] = 0x80;
  padded.writeUInt32BE(Math.floor(bytes.length / 0x20000000), padded.length - 8);
  padded.writeUInt32BE((bytes.length * 8) >>> 0, padded.length - 4);
  const hash = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) block(padded, at, words, hash);
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
}

const PRIMES = primes(64);
/** The first 32 bits of the fractions of the square roots of the first 8 primes, and of the cube roots of the first 64. */
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUND = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));

function block(bytes: Buffer, from: number, words: Uint32Array, hash: Uint32Array): void {
  const word = (index: number): number => words[index] as number;
  for (let index = 0; index < 16; index += 1) words[index] = bytes.readUInt32BE(from + index * 4);
  for (let index = 16; index < 64; index += 1) {
    const [x, y] = [word(index - 15), word(index - 2)];
    const low = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
    const high = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
    words[index] = word(index - 16) + low + word(index - 7) + high;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let index = 0; index < 64; index += 1) {
    const sum = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const first = (h + sum + ((e & f) ^ (~e & g)) + (ROUND[index] as number) + word(index)) | 0;
    const second = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((value, index) => {
    hash[index] = (hash[index] as number) + value;
  });
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
