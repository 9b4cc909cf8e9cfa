import type { Template } from "../template.ts";

const BODY = [
  "r=$? f=$-; set +eux;",
  String.raw`{ j() { j=$(printf '%s\n' "$1" | LC_ALL=C tr '\001-\011\013-\037' ' ' | sed 's/[\\"]/\\&/g;s/$/\\n/' | tr -d '\n'); printf '"%s"' "${"${j%??}"}"; };`,
  String.raw`u=$DEBUG_SERVER_URL; w=$PWD; while [ -z "$u" ]; do e=$w/.dbg/${"${DEBUG_SESSION_ID:-@S@}"}.env; [ -f "$e" ] && u=$(sed -n 's/^DEBUG_SERVER_URL=//p' "$e"); [ -n "$w" ] || break; w=${"${w%/*}"}; done;`,
  String.raw`printf '{"sessionId":"%s","hypothesisId":"%s","location":"%s","msg":"[DEBUG] %s","data":{%s}}' "${"${DEBUG_SESSION_ID:-@S@}"}" "@H@" "@L@" "@P@" ''@D@ | curl -s -m 1 --noproxy '*' --data-binary @- "${"${u:-@U@}"}"; } </dev/null >/dev/null 2>&1;`,
  "case $f in *e*) exit 0;; esac; exit $r",
].join(" ");

/**
 * For every POSIX shell, with curl; runs in a shell of its own, so that variables, options and, where a failure would
 * not end the program, the status of the last command stay. The program waits for the answer, at most 1 s: in the
 * background events would change places.
 */
export const SHELL: Template = {
  mark: (text) => `# ${text}`,
  line: `( ${BODY} ) 2>/dev/null`,
  field: `'"@N@":'"$(j "@X@")"`,
  between: ",",
  expressions: {
    only: /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9*#!-]|\{[A-Za-z_][A-Za-z0-9_]*(?:\[(?:[0-9]+|\*)\])?\}|\{#[A-Za-z_][A-Za-z0-9_]*\})$/,
  },
};
