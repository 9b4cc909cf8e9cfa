import type { KeyringLoader } from "../../../core/key-ring.ts";

/** A failure of the key ring in a test: it does not answer, or it is locked. */
export type KeyRingFailure = "silent" | "locked" | undefined;

/**
 * A stand-in for the package @napi-rs/keyring, at the only place where it is loaded: test machines have no key ring
 * that could be unlocked.
 */
export class FakeKeyring {
  readonly entries = new Map<string, string>();
  /** The recorded operations: `write`, `read`, `delete`. */
  readonly calls: string[] = [];
  trouble: (call: string, account: string) => KeyRingFailure = () => undefined;

  readonly load: KeyringLoader = async () => {
    const { entries } = this;
    const doing = (call: string, account: string) => this.#doing(call, account);
    return {
      AsyncEntry: class {
        readonly #account: string;
        constructor(_: string, account: string) {
          this.#account = account;
        }
        async setPassword(secret: string): Promise<void> {
          await doing("write", this.#account);
          entries.set(this.#account, secret);
        }
        // The package returns null if there is no entry.
        async getPassword(): Promise<string | null> {
          await doing("read", this.#account);
          return entries.get(this.#account) ?? null;
        }
        async deletePassword(): Promise<boolean> {
          await doing("delete", this.#account);
          return entries.delete(this.#account);
        }
      },
    };
  };

  async #doing(call: string, account: string): Promise<void> {
    this.calls.push(call);
    const trouble = this.trouble(call, account);
    if (trouble === "locked") throw new Error("The key ring is locked.");
    if (trouble === "silent") await new Promise(() => undefined);
  }
}
