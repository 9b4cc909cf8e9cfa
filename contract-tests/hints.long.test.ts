/** Hints whose state needs a debug server, a service or a login program. */
import { DEBUG_HINTS } from "./hints/debug.ts";
import { SERVICE_HINTS } from "./hints/services.ts";
import { tryHints } from "./hints/table.ts";

tryHints([...SERVICE_HINTS, ...DEBUG_HINTS]);
