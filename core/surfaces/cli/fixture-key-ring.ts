import type { KeyRing } from "../../key-ring.ts";

/** For tests: a key ring in memory, since test machines have none that could be unlocked. */
export function memoryKeyRing(entries: Map<string, string> = new Map()): KeyRing {
  return (account, action) =>
    action(
      {
        getPassword: () => Promise.resolve(entries.get(account) ?? null),
        setPassword: (text: string) => Promise.resolve(void entries.set(account, text)),
        deletePassword: () => Promise.resolve(entries.delete(account)),
      },
      new AbortController().signal,
    );
}
