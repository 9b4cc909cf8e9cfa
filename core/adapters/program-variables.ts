import type { Environment } from "../ports/environment.ts";

/** What every program is handed of the environment: see `ProgramRun.variables`. */
const USUAL = (
  "PATH HOME USER LOGNAME SHELL LANG LANGUAGE LC_ALL LC_CTYPE LC_MESSAGES TZ TMPDIR TERM COLORTERM NO_COLOR CI " +
  "DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_CACHE_HOME " +
  "XDG_SESSION_TYPE DBUS_SESSION_BUS_ADDRESS SSH_CONNECTION SSH_TTY BROWSER " +
  "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy " +
  "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE CURL_CA_BUNDLE " +
  "SystemRoot SystemDrive ComSpec PATHEXT WINDIR USERPROFILE USERNAME HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA " +
  "ProgramData ProgramFiles TEMP TMP"
).split(" ");

/** The environment of another program: the usual variables and the further ones, as far as they are set. */
export function inheritedVariables(
  environment: Environment,
  further: readonly string[],
): Readonly<Record<string, string>> {
  const pairs = [...USUAL, ...further].flatMap((name) => {
    const value = environment.variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(pairs);
}
