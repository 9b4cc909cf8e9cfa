import { PATTERN_SLASH, type ExpressionRules } from "../expression.ts";
import type { Template } from "../template.ts";

const EXPRESSIONS: ExpressionRules = {
  refused: [
    [/\b(?:await|yield|delete|import)\b/, "it changes something or waits"],
    [/<!--|-->/, "it holds a comment"],
    PATTERN_SLASH,
  ],
};

/** Evaluates, and makes JSON of what JSON has no word for: errors, functions, NaN and the like as text. */
const VALUES =
  'for(k in d)try{d[k]=JSON.parse(JSON.stringify(d[k](),(_,v)=>v instanceof Error||!/ob|st/.test(typeof v)&&v-v!==0?v+"":v))}catch(e){d[k]="! "+e}';
const EVENT =
  'JSON.stringify({sessionId:"@S@",hypothesisId:"@H@",location:"@L@",msg:"[DEBUG] @P@",data:d,ts:+new Date})';
const ADDRESS = 'globalThis.process?.env?.DEBUG_SERVER_URL||"@U@"';
/** In a process of its own, without the options of this one. */
const SENDER = 'fetch(process.argv[1],{method:"POST",body:require("fs").readFileSync(0)})';

/**
 * For Node 18 and pages, scripts and modules; `--sync` needs Node 20.16. Values are given as functions, so that no name
 * of the probe hides one of the program; one event is sent behind the other.
 */
export const JAVASCRIPT: Template = {
  comment: "//",
  text: `Promise.q=(async(q,d,b,k)=>{${VALUES}b=${EVENT};await q;await fetch(${ADDRESS},{method:"POST",body:b})})(Promise.q,{@D@}).catch(()=>{});`,
  sync: `((d,k)=>{try{${VALUES}let b=${EVENT},p=globalThis.process,u=p?.env?.DEBUG_SERVER_URL||"@U@",x;p?.getBuiltinModule?p.getBuiltinModule("child_process").spawnSync(p.execPath,["-e",'${SENDER}',u],{input:b,env:{ELECTRON_RUN_AS_NODE:1},timeout:9e3}):((x=new XMLHttpRequest).open("POST",u,!1),x.send(b))}catch{}})({@D@});`,
  field: '"@N@":()=>(@X@)',
  between: ",",
  expressions: EXPRESSIONS,
};

/** The same, with a word to the compiler, so that a strict one has nothing to say. */
export const TYPESCRIPT: Template = {
  ...JAVASCRIPT,
  text: `//@ts-ignore\n${JAVASCRIPT.text}`,
  sync: `//@ts-ignore\n${JAVASCRIPT.sync}`,
};

/** Outside of scripts a page can only hold a script of its own. */
export const PAGE: Template = {
  ...JAVASCRIPT,
  mark: ["<!-- ", " -->"],
  text: `<script>${JAVASCRIPT.text}</script>`,
  sync: `<script>${JAVASCRIPT.sync}</script>`,
};
