import type { ExpressionRules } from "../expression.ts";
import type { Template } from "../template.ts";
import { SENDING } from "./c-sending.ts";

const EXPRESSIONS: ExpressionRules = {
  refused: [
    [/[RLuU8]""/, "strings with a prefix can hold anything"],
    [/#/, "it holds a directive"],
    [/\b(?:new|delete|throw|co_await|co_yield)\b/, "it changes something"],
  ],
};

/** Types of C as formats. A pointer to anything but text is told as its address. */
const FORMATS = String.raw`_Bool: "%d", char: "%d", signed char: "%d", unsigned char: "%d", short: "%d", unsigned short: "%d", int: "%d", unsigned: "%u", long: "%ld", unsigned long: "%lu", long long: "%lld", unsigned long long: "%llu", float: "%.9g", double: "%.17g", long double: "%.17Lg", char *: "\"%s", const char *: "\"%s", default: "\"%p"`;

/**
 * Needs C11 as gcc and clang know it, and when it runs a shell and curl. The text behind a wrong pointer cannot be had
 * in C without breaking the program.
 */
export const C: Template = {
  mark: (text) => `// ${text}`,
  line: `{ extern int system(const char *); const char *debug_k_[12]; char debug_t_[12][400]; int debug_m_ = 0; @D@${SENDING} }`,
  field: `debug_k_[debug_m_] = "@N@"; __builtin_snprintf(debug_t_[debug_m_++], 400, _Generic((@X@), ${FORMATS}), (@X@)); `,
  between: "",
  expressions: EXPRESSIONS,
};

const OVERLOADS = (
  [
    ["bool", "%d"],
    ["char", "%d"],
    ["int", "%d"],
    ["unsigned", "%u"],
    ["long", "%ld"],
    ["unsigned long", "%lu"],
    ["long long", "%lld"],
    ["unsigned long long", "%llu"],
    ["double", "%.17g"],
    ["const char *", String.raw`\"%s`],
    ["const void *", String.raw`\"%p`],
  ] as const
)
  .map(
    ([type, format]) => `static void put(char *t, ${type} v) { __builtin_snprintf(t, 400, "${format}", v); }`,
  )
  .join(" ");

/** Needs C++11 as gcc and clang know it, and when it runs a shell and curl. Text is given as `s.c_str()`. */
export const CPP: Template = {
  ...C,
  line: `{ struct debug_f_ { ${OVERLOADS} }; const char *debug_k_[12]; char debug_t_[12][400]; int debug_m_ = 0; @D@${SENDING.replace("system(", "::system(")} }`,
  field:
    'debug_k_[debug_m_] = "@N@"; try { debug_f_::put(debug_t_[debug_m_], (@X@)); } catch (...) { debug_f_::put(debug_t_[debug_m_], "! exception"); } debug_m_++; ',
  head: 'extern "C" int system(const char *);',
};
