/** Standard output, reserved for messages of the protocol. */
export interface OwnOutput {
  readonly write: (text: string, done: (error?: Error | null) => void) => unknown;
  /** Returns standard output to the process. */
  readonly end: () => void;
}

/** Reserves standard output for messages of the protocol. Output of skills goes to standard error. */
export function ownOutput(): OwnOutput {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // The callback reports the error. Without a listener the event would end the process.
  const ignore = (): void => undefined;
  stdout.on("error", ignore);
  return {
    write,
    end: () => {
      stdout.write = write;
      stdout.off("error", ignore);
    },
  };
}
