/** Names of what reaches the network, starts programs, or runs text that comes about only then: of any language, generously. */
const NAMES = [
  "fetch https? http2 net tls ssl dgram dns sockets? websockets? XMLHttpRequest EventSource WebSocket undici axios superagent",
  "urllib[23]? requests httpx aiohttp httplib2? pycurl grpc paramiko ftplib smtplib poplib imaplib telnetlib xmlrpc socketserver asyncore",
  "LWP Net TCPSocket UDPSocket OpenURI RestClient Faraday HTTParty httr RCurl curl wget nc telnet curl_\\w+ fsockopen stream_\\w+",
  "download url urlopen openStream open_connection create_connection file_get_contents read_html",
  "eval evaluate exec\\w* spawn\\w* posix_spawn\\w* fork system popen\\w* Popen proc_open passthru shell_exec backtick",
  "subprocess child_process worker_threads Worker pty ctypes cffi multiprocessing pexpect plumbum fabric invoke runpy ffi syscall",
  "Function AsyncFunction constructor vm Reflect Proxy wasm WebAssembly binding dlopen mainModule createRequire globalThis",
  "import_module importlib imp pkgutil globals locals vars getattr setattr codecs marshal pickle dill shelve",
  "base64 b64decode b32decode b16decode unhexlify fromhex atob btoa rot13 rot_13 fromCharCode fromCodePoint String\\.raw chr unichr bytes bytearray",
  "unpack pack translate zlib gunzip inflate decompress decodeURIComponent unescape deobfuscate",
  "send public_send __send__ instance_eval class_eval const_get call_user_func\\w* create_function assert_options do\\.call loadstring dofile",
  "environ environb getenv putenv expanduser homedir svc",
].join(" ");
const WORD = new RegExp(`(?:^|[^\\w])(?:${NAMES.split(" ").join("|")})(?![\\w])`, "i");
const PARTS: readonly RegExp[] = [
  // An address, or a network of the shell.
  /:\/\/|\/dev\/(?:tcp|udp)/i,
  // Names of the inside of a language, other than those that everybody uses.
  /__(?!(?:name|file|init|main|version|doc|dict|repr|str|len|all)__)\w+__/,
  // A part that is named by a text or a sum, loading what is not named plainly.
  /(?:process|module|global|window|self|this|Object|fs|os|sys|require)\s*\??\.?\[|\[\s*["'`][^"'`\n]*["'`]\s*[+\]]\s*[^\n]{0,80}\(|\b(?:import|require)\s*\(\s*[^\s"'`)]/,
  // Other ways to write letters, and texts turned around.
  /\\(?:x[\da-f]|u[\da-f{]|U[\da-f]|N\{|[0-3]?[0-7]{2})|\[::\s*-1\]|\.reverse\s*\(|%c/i,
  /\bprocess\s*\.\s*env\b|[%$]ENV\b|\bHOME\b/,
  // Names that are words as well: of modules, and of calls.
  /\b(?:require|import|from)\s*\(?\s*["'](?:node:)?(?:got|ky|zx|cluster|execa)["']|\bimport\s+(?:sh|dl)\b|(?<!\bre\.)\bcompile\s*\(/,
];
/** In languages in which they start programs. */
const BACKTICK = /`|\bqx\b|%x|\|\s*["']|["']\s*\|/;
/** Texts that stand side by side, and become one. */
const JOINED = /["'`]\s*(?:[+.,]\s*)?["'`]/g;

/**
 * Whether a program text that is not understood could call an address, start a program or hide what it does. It is held against a list
 * of names, and says yes rather than no.
 */
export function reachesOut(text: string, backticks = false): boolean {
  const forms = [text, text.replace(JOINED, "")];
  return forms.some(
    (form) => WORD.test(form) || PARTS.some((part) => part.test(form)) || (backticks && BACKTICK.test(form)),
  );
}
