/** The part of oidc-provider that the tests use; the package has no types. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  /** A stored code or token. */
  interface Stored {
    params: Readonly<Record<string, string>>;
    accountId?: string;
    grantId?: string;
    scope?: string;
    error?: string;
    exp: number;
    save(): Promise<string>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly Grant: new (of: { readonly accountId: string; readonly clientId: string }) => Grant;
    readonly DeviceCode: { findByUserCode(code: string): Promise<Stored | undefined> };
    readonly RefreshToken: { find(value: string): Promise<Stored | undefined> };
    readonly AccessToken: { find(value: string): Promise<Stored | undefined> };
    callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
    use(
      middleware: (
        context: { readonly path: string; body?: Record<string, unknown> },
        next: () => Promise<void>,
      ) => Promise<void>,
    ): void;
  }
}
