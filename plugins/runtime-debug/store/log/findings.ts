/** So many sentences are kept, the latest ones. */
const MOST = 20;

/** What was mended when the log was opened, and what others did to it since: sentences for `health`. */
export class Findings {
  readonly #tell: (sentence: string) => void;
  #sentences: readonly string[] = [];

  constructor(tell: (sentence: string) => void) {
    this.#tell = tell;
  }

  get all(): readonly string[] {
    return this.#sentences;
  }

  readonly add = (sentence: string): void => {
    if (this.#sentences.includes(sentence)) return;
    this.#sentences = [...this.#sentences, sentence].slice(-MOST);
    this.#tell(sentence);
  };
}
