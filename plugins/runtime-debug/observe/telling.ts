import { quotedName } from "skillctl";
import { templateOf } from "../probes/languages.ts";
import type { Point } from "./point.ts";

/** The expressions that the program evaluates at a point. */
export function expressionsOf({
  data,
  when,
}: Point): readonly { readonly name: string; readonly expression: string }[] {
  return when === undefined ? data : [...data, { name: "--when", expression: when }];
}

/** The place of a point as events and `--at` name it. */
export function placeOf({ path, line }: Point): string {
  return `${path}:${line}`;
}

/** The place of a point in a sentence. */
export function shownPlace({ path, line }: Point): string {
  return `${quotedName(path)}:${line}`;
}

/** The reason for refusing a point where no statement begins; `url` is the script that runs in place of its file. */
export function noStatement(point: Point, url?: string): string {
  return `No statement begins at ${shownPlace(point)}${url === undefined ? "" : ` in ${quotedName(url)}`}.`;
}

/** The beginning of a sentence about a program that was started from other code. */
export function otherText(path: string): string {
  return `The program runs another version of ${quotedName(path)}`;
}

export function staleText({ path }: Point): string {
  return ` ${quotedName(path)} has changed since it was built.`;
}

/** The sentence about a fault in one of the expressions of a point. */
export function faultOf(point: Point, name: string, what: string, expression: string): string {
  return `${name} of ${shownPlace(point)} ${what}: ${expression}.`;
}

/** The function that turns a value into a readable one, as in a probe. */
const SHOWN = templateOf("javascript").parts?.["V"] ?? "";

/**
 * An expression that reports the values of some points, each within its limits, and is itself `undefined`. Values are passed as functions, so
 * that no name in it shadows one of the program.
 */
export function telling(points: readonly Point[], all: readonly Point[], name: string): string {
  const rows = points.map((point) => {
    const data = point.data.map((field) => `${JSON.stringify(field.name)}:()=>(${field.expression})`);
    const when = point.when === undefined ? "0" : `()=>(${point.when})`;
    return `[${all.indexOf(point)},${point.perSecond},${point.most},${when},{${data.join(",")}}]`;
  });
  return `((f,q)=>{if(f)for(let[i,m,x,w,d]of q)try{if(w&&!w())continue;let t=Date.now(),s=(f.s??={})[i]??={t:0,n:0,a:0,k:0};if(t-s.t>999||t<s.t)s.t=t,s.n=0;if(s.n>=m){s.k++;continue}if(s.a>=x){s.n=m;f(JSON.stringify({i,k:s.k+1}));s.k=0;continue}s.n++;s.a++;for(let k in d)d[k]=(${SHOWN})(d[k]);f(JSON.stringify({i,d,t,k:s.k}));s.k=0}catch{}})(globalThis[${JSON.stringify(name)}],[${rows.join(",")}])`;
}
