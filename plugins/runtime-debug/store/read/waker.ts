/** Waits for something that may have happened already. */
export class Waker {
  #woken = false;
  #resolve: (() => void) | undefined;

  readonly wake = (): void => {
    this.#woken = true;
    this.#resolve?.();
  };

  /** What has happened until now no longer counts. */
  rest(): void {
    this.#woken = false;
  }

  /** Until `wake` was called, or the time is over; answers whether it was called. */
  async wait(ms: number): Promise<boolean> {
    if (this.#woken) return true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#resolve = resolve;
      timer = setTimeout(resolve, ms);
      timer.unref();
    });
    clearTimeout(timer);
    this.#resolve = undefined;
    return this.#woken;
  }
}
