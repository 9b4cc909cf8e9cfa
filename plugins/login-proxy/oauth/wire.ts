import type { Wiring } from "skillctl";
import { DEVICE_LOGIN, DeviceLogin } from "./device-login.ts";
import { KEY_RING, systemKeyRing } from "./key-ring.ts";
import { LOGIN_NOTICE, LoginNotice } from "./login-notice.ts";
import { LOGIN_SERVER, LoginServer } from "./login-server.ts";
import { PAUSE, pause } from "./pause.ts";
import { PENDING_LOGIN, PendingLogin } from "./pending-login.ts";
import { POLLING, Polling } from "./polling.ts";
import { REFRESH_STORE, RefreshStore } from "./refresh-store.ts";

/** Binds the device login; `OAUTH_SETTINGS` (settings.ts) is bound by who knows the settings. */
export function wireDeviceLogin({ single, value }: Wiring): void {
  value(KEY_RING, systemKeyRing());
  value(PAUSE, pause);
  single(LOGIN_SERVER, LoginServer);
  single(REFRESH_STORE, RefreshStore);
  single(PENDING_LOGIN, PendingLogin);
  single(LOGIN_NOTICE, LoginNotice);
  single(POLLING, Polling);
  single(DEVICE_LOGIN, DeviceLogin);
}
