import type { Word } from "./effects.ts";
import type { Scene } from "./scene.ts";

/** Settings of git that start nothing and lead nowhere else. */
const PLAIN =
  /^(?:user\.(?:name|email|signingkey)|author\..*|committer\..*|color\..*|advice\..*|column\..*|init\.defaultbranch|log\.\w+|pull\.\w+|push\.\w+|rebase\.\w+|merge\.(?:ff|conflictstyle|renames\w*|verbosity|stat|log)|diff\.(?:algorithm|renames?\w*|context|noprefix|mnemonicprefix|submodule|colormoved\w*|wordregex|interhunkcontext|ignoresubmodules|statgraphwidth)|status\.\w+|core\.(?:quotepath|autocrlf|eol|safecrlf|abbrev|preloadindex|untrackedcache|longpaths|precomposeunicode|ignorecase|filemode|bigfilethreshold|compression|splitindex|commentchar|checkstat|trustctime|whitespace)|http\.(?:version|postbuffer|lowspeed\w+)|fetch\.\w+|gc\.\w+|maintenance\..*|pack\.\w+|index\.\w+|feature\.\w+|safe\.directory|protocol\..*|tag\.(?:sort|gpgsign)|branch\.(?:sort|autosetup\w+)|commit\.(?:gpgsign|verbose|cleanup|status)|format\.\w+|grep\.\w+|blame\.\w+|help\.\w+|i18n\.\w+|remote\.pushdefault|rerere\.\w+|stash\.show\w+|submodule\.(?:recurse|fetchjobs)|transfer\.\w+|versionsort\..*|credential\.(?:username|usehttppath)|uploadpack\.\w+)$/i;
/** Settings whose value git hands to a shell. */
const SHELL =
  /^(?:core\.(?:pager|editor|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|pager\..*|diff\.external|diff\..*\.(?:command|textconv)|filter\..*\.(?:clean|smudge|process)|merge\..*\.driver|(?:merge|diff|browser|man)tool\..*\.(?:cmd|path)|gpg\.(?:.*\.)?program|interactive\.difffilter|trailer\..*\.(?:cmd|command)|remote\..*\.(?:uploadpack|receivepack)|credential\.(?:.*\.)?helper|uploadpack\.packobjectshook|sendemail\.\w*cmd|web\.browser)$/i;
const YES_OR_NO = /^(?:true|false|yes|no|on|off|0|1|auto)?$/i;

/** One setting of git, `name` and its value, given on the command line or kept. */
export function setting(name: string, value: Word, scene: Scene): void {
  const { text } = value;
  if (/^alias\./i.test(name)) {
    if (text === undefined) scene.unknown("code");
    else if (text.startsWith("!")) scene.shell({ text: text.slice(1) });
    else scene.shell({ text: `git ${text}` });
  } else if (PLAIN.test(name)) return;
  else if (/^(?:pager\..*|core\.fsmonitor)$/i.test(name) && YES_OR_NO.test(text ?? "?")) return;
  else if (
    /^credential\.(?:.*\.)?helper$/i.test(name) &&
    /^(?:|store|cache|osxkeychain|manager\S*|libsecret)$/.test(text ?? "?")
  )
    return;
  else if (SHELL.test(name) || /^core\.fsmonitor$/i.test(name)) {
    scene.shell(text?.startsWith("!") === true ? { text: text.slice(1) } : value);
  } else if (/^url\..*\.(?:insteadof|pushinsteadof)$/i.test(name)) scene.unknown("address");
  else if (/^(?:https?\.(?:.*\.)?proxy|remote\..*\.(?:push)?url)$/i.test(name)) remote(value, scene);
  else scene.unknown("code");
}

/** A repository that git is to talk to: an address, `user@host:path`, a folder, or a name that is kept. */
export function remote(word: Word, scene: Scene): void {
  const { text } = word;
  if (text === undefined) scene.unknown("address");
  else if (/^(?:ext|fd)::/.test(text)) scene.unknown("code");
  else if (/^[a-z][a-z+]*:\/\//i.test(text)) scene.url(word);
  else if (/^[\w.-]+@?[\w.-]*:(?!\\)/.test(text)) scene.url({ text: `ssh://${text.replace(":", "/")}` });
}
