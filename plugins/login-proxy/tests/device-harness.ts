import { mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { TestHost, TestHostOptions } from "skillctl/testing";
import { asked, loginHost, typing } from "./login-harness.ts";
import { CLIENT_ID, type OAuthProvider } from "./oauth-provider.ts";

/** The content of a file of `~/.svc-login`. */
type StoredFile = Readonly<Record<string, unknown>>;

/** A host whose device login goes to a server, in a separate home. The refresh token is kept in a file: no key ring is asked. */
export async function deviceHost(
  provider: Pick<OAuthProvider, "url">,
  { variables, kept, ...options }: TestHostOptions & { readonly kept?: object } = {},
) {
  const named = { SVC_LOGIN_ISSUER: provider.url, SVC_LOGIN_CLIENT_ID: CLIENT_ID, ...variables };
  const test = await loginHost({ ...options, variables: named });
  const path = (name = ""): string => join(dirname(test.file), name);
  await mkdir(path(), { recursive: true, mode: 0o700 });
  await writeFile(path("refresh.json"), JSON.stringify({ store: "file", ...kept }), { mode: 0o600 });
  return Object.assign(test, {
    path,
    names: () => readdir(path()),
    json: async (name: string): Promise<StoredFile> =>
      JSON.parse(await readFile(path(name), "utf8")) as StoredFile,
    /** A login by a person at a terminal. */
    attended: (input: object = {}, more: object = {}) =>
      asked(test, "login", input, { person: typing(""), ...more }),
    /** A login without a terminal. */
    unattended: (input: object = {}) => asked(test, "login", { mode: "device", ...input }),
    /** A call without a person. */
    quiet: (more: object = {}) => asked(test, "login", { mode: "refresh" }, more),
    /** All messages to the person. */
    said: (): string => [...test.log.notices, ...test.log.details].join("\n"),
  });
}

export type DeviceHost = Awaited<ReturnType<typeof deviceHost>>;

/** The last shown code. */
export const shownCode = ({ log }: TestHost): string =>
  log.notices.flatMap((line) => line.match(/\b[A-Z]{4}-[A-Z]{4}\b/g) ?? []).at(-1) ?? "";

/** A host with a login. */
export async function loggedIn(
  provider: OAuthProvider,
  options: Parameters<typeof deviceHost>[1] = {},
): Promise<DeviceHost> {
  const test = await deviceHost(provider, options);
  await test.unattended().catch(() => undefined);
  await provider.approve(shownCode(test));
  test.clock.advance(5_000);
  await test.unattended();
  return test;
}
