let first = "";
let count = 0;

/** A name of an evaluation: unlike any other of this process, and hardly ever like one of another. */
export function nextId(): string {
  if (first === "") {
    const chance = Math.floor(Math.random() * 36 ** 4).toString(36);
    first = `g-${Date.now().toString(36)}${chance.padStart(4, "0")}-`;
  }
  count += 1;
  return first + count.toString(36);
}
