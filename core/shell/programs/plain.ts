import type { Table } from "./table.ts";

/** Programs that neither write nor call nor start anything, whatever their words are. */
export const PLAIN: Table = {
  "ls dir vdir gls pwd echo gecho printf whoami uname id which whereis type hostname uptime free df du seq sleep":
    "v",
  "test [ [[ expr bc cal tput clear reset nproc getconf locale tty groups users who w last arch": "v",
  "true false lscpu lsblk lspci lsusb lsmod lsb_release sw_vers basename dirname realpath readlink pathchk":
    "v",
  "exa eza lsd factor numfmt yes stty mesg logname sync hostid pidof pgrep ps pstree top htop vmstat iostat lsof":
    "v",
  "netstat ss ip ifconfig ping ping6 dig host nslookup traceroute route jobs wait fg bg disown umask ulimit":
    "v",
  ": break continue exit return shift getopts read let local readonly unset hash times": "v",
  "shopt alias unalias cd pushd popd dirs bind complete compgen compopt help logout": "v",
  "apropos whatis figlet cowsay fortune neofetch fastfetch tokei cloc scc notify-send say loginctl dmesg uuidgen":
    "v",
  "kill pkill killall renice fuser timedatectl hostnamectl locate mdfind": "v",
  tree: "v | L: P: I: o:w charset: filelimit: timefmt: sort: gitfile: infofile: fromfile!v",
  man: "v | P:s pager:s H:s html::s C:r config-file:r L: m: M: S: s: e: r: E: p: l:r local-file:r",
  info: "v | o:w output:w f:r file:r restore:r",
  history: "v | a!w w!w r!r n!r d:",
  "mapfile readarray": "v | C:s c: d: n: O: s: u:",
  inotifywait:
    "v | o:w outfile:w e: t: event: timeout: exclude: excludei: include: format: timefmt: fromfile:r",
  "pbcopy xclip xsel wl-copy sysctl": "v",
  "date gdate": "v | d: date: f:r file:r r:r reference:r s!w set!w",
};

/** They print variables of the environment. */
export const ENVIRONMENT: Table = {
  printenv: (scene) => {
    const names = scene.args.filter(({ text }) => text === undefined || !text.startsWith("-"));
    if (names.length === 0) scene.use(undefined);
    for (const { text } of names) scene.use(text);
  },
  set: (scene) => {
    if (scene.args.length === 0) scene.use(undefined);
  },
  "export declare typeset": (scene) => {
    if (scene.args.every(({ text }) => text !== undefined && /^-[px]*$/.test(text))) scene.use(undefined);
    for (const word of scene.args) if (/^\w+=/.test(word.text ?? word.known ?? "")) scene.set(word);
  },
  trap: (scene) => {
    const text = scene.args.find((word) => word.text?.startsWith("-") !== true);
    if (scene.args.length > 1 && text !== undefined) scene.shell(text);
  },
};
