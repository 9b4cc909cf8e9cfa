/**
 * Functions that write to a console or a log of the language, by their whole names. Specification, rules on
 * instrumentation, 1: they are forbidden.
 */
const FUNCTIONS = [
  String.raw`(?:(?:window|globalThis|self)\.)?console\.\w+|alert|process\.std(?:out|err)\.write`,
  String.raw`(?:builtins\.)?p?print|puts|putchar|printf|perror|warn|print_r|var_dump|var_export|error_log|syslog`,
  String.raw`sys\.std(?:out|err)\.write|logging\.\w+|(?:\w+\.)*_?(?:logger|LOGGER|Logger)(?:\(\))?\.\w+|log\.\w+`,
  String.raw`fmt\.Print(?:f|ln)?|slog\.\w+|(?:e?print(?:ln)?|dbg|trace|debug|info|warn|error|(?:log|tracing)::\w+)!`,
  String.raw`System\.(?:out|err)\.\w+|Console\.\w+(?:\.\w+)*|Debug\.Write\w*|Trace\.\w+|Debug\.Log\w*`,
  String.raw`println|NSLog|os_log|debugPrint|dump|Log\.[vdiwe]|Timber\.\w+|STD(?:OUT|ERR)\.\w+|\$std(?:out|err)\.\w+`,
].join("|");
const CALL = new RegExp(String.raw`(?<![\w.$:>-])(?:${FUNCTIONS})\s*\(`);
/** Words that log what stands behind them; in a shell they feed a pipe or a file as well. */
const WORD =
  /^\s*(?:(?:puts|pp|echo|say|print|printf|warn|Write-(?:Host|Output|Debug|Verbose))\s+[^=\s|>]|(?:std::)?(?:cout|cerr|clog)\s*<<)/;
/** What is in strings, and comments up to the end of a line. */
const NO_CODE = /"(?:[^"\\\r\n]|\\.)*"|'(?:[^'\\\r\n]|\\.)*'|(?:^|\s)(?:\/\/|#).*$/g;

/** The function of a line that certainly logs on the spot, by its text alone. */
export function nativeLogIn(line: string): string | undefined {
  const code = line.replaceAll(NO_CODE, (part) => (/^["']/.test(part) ? part.charAt(0).repeat(2) : ""));
  const found = CALL.exec(code)?.[0] ?? (/[|>]/.test(code) ? undefined : WORD.exec(code)?.[0]);
  return found && /[$\w.:!-]+(?:\(\)\.\w+)?/.exec(found)?.[0];
}
