/** Hints whose state needs a debug server or more than three seconds. */
import { DEBUG_HINTS } from "./hints/debug.ts";
import { tryHints } from "./hints/table.ts";

tryHints(DEBUG_HINTS);
