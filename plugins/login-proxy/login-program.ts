/** What fetches tokens is a port, so that another skill can lend it (docs/login.md, Login programs). */
export type { FreshToken, LoginProgram, LoginWait, TokenVerdict as Verdict } from "skillctl";
