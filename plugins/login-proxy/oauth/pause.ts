import { SkillError, token } from "skillctl";

/**
 * Waits for so many milliseconds.
 * @throws SkillError `CANCELLED` as soon as the signal is aborted.
 */
export type Pause = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const PAUSE = token<Pause>("login-proxy/pause");

/** Waits on the clock of the machine. */
export const pause: Pause = (milliseconds, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(cancelled());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });

/** A login whose signal was aborted. */
export function cancelled(): SkillError {
  return new SkillError("CANCELLED", "The login was ended before it was finished.");
}
