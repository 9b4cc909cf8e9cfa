/** What oidc-provider stores of a code, a token, a grant. */
interface Payload {
  readonly grantId?: string;
  readonly userCode?: string;
  readonly uid?: string;
  consumed?: number;
}

/** The store of one login server of the tests: a class for oidc-provider, which makes one of it for each kind. */
export function oauthMemory() {
  const all = new Map<string, Payload>();
  return class Store {
    readonly #kind: string;

    constructor(kind: string) {
      this.#kind = kind;
    }

    readonly upsert = async (id: string, payload: Payload) => void all.set(this.#key(id), payload);
    readonly find = async (id: string) => all.get(this.#key(id));
    readonly findByUid = async (uid: string) => this.#where((payload) => payload.uid === uid);
    readonly findByUserCode = async (code: string) => this.#where(({ userCode }) => userCode === code);
    readonly destroy = async (id: string) => void all.delete(this.#key(id));
    readonly consume = async (id: string) => {
      const payload = all.get(this.#key(id));
      if (payload) payload.consumed = Math.floor(Date.now() / 1000);
    };
    readonly revokeByGrantId = async (grantId: string) => {
      for (const [key, payload] of all) if (payload.grantId === grantId) all.delete(key);
    };

    #key(id: string): string {
      return `${this.#kind}:${id}`;
    }

    #where(fits: (payload: Payload) => boolean): Payload | undefined {
      return [...all].find(([key, payload]) => key.startsWith(this.#key("")) && fits(payload))?.[1];
    }
  };
}
