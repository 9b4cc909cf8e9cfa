/**
 * Functions that write to a console or a log of the language, by their whole names. Specification, rules on
 * instrumentation, 1: they are forbidden.
 */
const NATIVE = new RegExp(
  [
    String.raw`(?:(?:window|globalThis|self)\.)?console\.\w+|alert|process\.std(?:out|err)\.write`,
    String.raw`(?:builtins\.)?p?print|pp|puts|putc|putchar|fputs|f?printf|perror|warn|say|echo|print_r|var_dump|var_export|error_log|syslog|dump`,
    String.raw`sys\.std(?:out|err)\.write|logging\.\w+|(?:\w+\.)*_?(?:logger|LOGGER|Logger)(?:\(\))?\.\w+|(?:self\.)?log(?:ging)?\.\w+`,
    String.raw`fmt\.F?[Pp]rint(?:f|ln)?|slog\.\w+|(?:std::)?(?:e?print(?:ln)?|dbg)!?|(?:log|tracing)::\w+!?|(?:trace|debug|info|warn|error)!`,
    String.raw`System\.(?:out|err)\.\w+|Console\.\w+(?:\.\w+)*|Debug\.Write\w*|Trace\.\w+|Debug\.Log\w*`,
    String.raw`println|NSLog|os_log|debugPrint|dump|Log\.[vdiwe]|Timber\.\w+|android\.util\.Log\.\w+|developer\.log`,
    String.raw`std::(?:cout|cerr|clog|printf)|cout|cerr|clog|io\.write|STD(?:OUT|ERR)\.\w+|\$std(?:out|err)\.\w+|Rails\.logger\.\w+|Kernel\.\w*put\w*`,
    String.raw`Write-\w+|Out-\w+|tee|RAISE`,
  ].join("|"),
);
const WHOLE = new RegExp(`^(?:${NATIVE.source})$`);
/** Whether that is the name of a function that logs on the spot. */
export function isNativeLog(name: string): boolean {
  return WHOLE.test(name);
}
