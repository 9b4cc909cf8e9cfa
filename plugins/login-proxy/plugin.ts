import { definePlugin, systemKeyRing } from "skillctl";
import { ACCESS_TOKENS } from "../ports.ts";
import { CheckCommand } from "./check-command.ts";
import { CONFIGURED_PROGRAM, ConfiguredProgram } from "./configured-program.ts";
import type { Contract } from "./contract.ts";
import { LOGIN, Login } from "./login.ts";
import { LoginCommand } from "./login-command.ts";
import { LOGIN_FOLDER, LoginFolder, LOGIN_LOCK, LoginLock } from "./login-folder.ts";
import { LogoutCommand } from "./logout-command.ts";
import { NoTokenDumpRule } from "./no-token-dump-rule.ts";
import { DEVICE_LOGIN, DeviceLogin } from "./oauth/device-login.ts";
import { KEY_RING, REFRESH_STORE, RefreshStore } from "./oauth/refresh-store.ts";
import { LOGIN_NOTICE, LoginNotice, PENDING_LOGIN, PendingLogin } from "./oauth/pending-login.ts";
import { LOGIN_SERVER, LoginServer } from "./oauth/login-server.ts";
import { ORIGIN_TOKENS, OriginTokens } from "./origin-tokens.ts";
import { StatusCommand } from "./status-command.ts";
import { TOKEN_RENEWAL, TokenRenewal } from "./token-renewal.ts";
import { TOKEN_STORE, TokenStore } from "./token-store.ts";
import { VerifyCommand } from "./verify-command.ts";

export default definePlugin<Contract>({
  wire: ({ single, value }) => {
    single(LOGIN_FOLDER, LoginFolder);
    single(TOKEN_STORE, TokenStore);
    value(KEY_RING, systemKeyRing("svc-login"));
    single(LOGIN_SERVER, LoginServer);
    single(REFRESH_STORE, RefreshStore);
    single(PENDING_LOGIN, PendingLogin);
    single(LOGIN_NOTICE, LoginNotice);
    single(DEVICE_LOGIN, DeviceLogin);
    single(CONFIGURED_PROGRAM, ConfiguredProgram);
    single(LOGIN, Login);
    single(LOGIN_LOCK, LoginLock);
    single(TOKEN_RENEWAL, TokenRenewal);
    single(ORIGIN_TOKENS, OriginTokens);
    single(ACCESS_TOKENS, OriginTokens);
  },
  commands: {
    status: StatusCommand,
    login: LoginCommand,
    check: CheckCommand,
    verify: VerifyCommand,
    logout: LogoutCommand,
  },
  routes: {},
  rules: { "no-token-dump": NoTokenDumpRule },
});
