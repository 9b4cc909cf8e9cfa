import { SkillError } from "skillctl";

/** Waits. @throws SkillError `CANCELLED` as soon as the signal is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
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
}

/** A login whose signal was aborted. */
export function cancelled(): SkillError {
  return new SkillError("CANCELLED", "The login was ended before it was finished.");
}
