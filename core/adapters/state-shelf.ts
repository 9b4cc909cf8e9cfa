/** A document as it stands on its shelf. */
export interface StoredDocument {
  /** Wall-clock time in milliseconds since the epoch; the document is kept up to and with it. */
  readonly until: number;
  readonly json: string;
}

/** The documents that share a text, by the hash of their ids. */
export type Shelf = ReadonlyMap<string, StoredDocument>;

const LINE = /^([0-9a-f]{64}) (\d{1,16}) /;

/**
 * The documents of a text whose time has not passed. A line is a document: `<hash of the id> <until> <JSON>`; one that
 * something else has broken counts as none.
 */
export function readShelf(text: string, now: number): Shelf {
  const shelf = new Map<string, StoredDocument>();
  for (const line of text.split("\n")) {
    const [head, key, until] = LINE.exec(line) ?? [];
    if (head === undefined || key === undefined || Number(until) < now) continue;
    shelf.set(key, { until: Number(until), json: line.slice(head.length) });
  }
  return shelf;
}

/** JSON holds no line feed, so that a line stays one. */
export function shelfText(shelf: Shelf): string {
  return [...shelf].map(([key, { until, json }]) => `${key} ${until} ${json}\n`).join("");
}

/** `undefined` when there is no such document, or what stands there is no JSON. */
export function valueOf(shelf: Shelf, key: string): unknown {
  const json = shelf.get(key)?.json;
  try {
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    // Not written by us: the next update writes it anew.
    return undefined;
  }
}
