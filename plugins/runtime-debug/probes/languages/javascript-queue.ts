/**
 * The reporter of probes in JavaScript as text, one statement long. `¤` stands where TypeScript wants `: any`. It is made
 * by the first probe that runs and kept under a symbol, where code that does not look for it cannot see it.
 */

/**
 * The address: the variable, the environment file from the working folder upward, else (as in a page) what the probe
 * knows.
 */
const ADDRESS = String.raw`f=(s¤)=>{try{const e=P.env.DEBUG_SERVER_URL;if(e)return e;const r=M("fs"),p=M("path");for(let d=P.cwd(),o;d!==o;o=d,d=p.dirname(d))try{const m=/^DEBUG_SERVER_URL=(\S+)/m.exec(r.readFileSync(p.join(d,".dbg",s+".env"),"utf8"));if(m)return m[1]}catch{}}catch{}}`;
/** A value as JSON: what JSON has no word for as text, great values cut, cycles marked. */
const VALUE =
  't=(v¤,c¤)=>{let n=0;return JSON.stringify(v,(_,x¤)=>{n+=1;const y=typeof x;if(x===undefined||y==="bigint"||y==="symbol"||y==="number"&&!isFinite(x))return String(x);if(y==="function")return"[function "+x.name+"]";if(y==="string")return x.length>5e3?x.slice(0,5e3)+"...":x;if(!x||y!=="object")return x;if(n>2e3||c&&c.has(x))return n>2e3?"[...]":"[again]";if(c)c.add(x);return x instanceof Error?x.name+": "+x.message:x instanceof Map||x instanceof Set?[...x]:x})}';
const SAFE_VALUE =
  'j=(v¤)=>{try{return t(v,0)}catch{try{return t(v,new WeakSet())}catch(e){return JSON.stringify("[unreadable] "+String(e))}}}';
/** Sends lines as one body; `w` is called when they are handed over, `z` at the end. */
const POST =
  'h=(u¤,b¤,w¤,z¤,n¤)=>{if(H){const r=H.request(u,{method:"POST",agent:A,timeout:1e3},(a¤)=>{a.on("error",()=>{}).on("close",()=>z(1)).resume()});r.on("finish",w).on("timeout",()=>r.destroy()).on("error",()=>r.reusedSocket&&!n?h(u,b,w,z,1):z(0)).end(b)}else{G.fetch(u,{method:"POST",body:b,keepalive:b.length<6e4,mode:"no-cors"}).then(()=>z(1),()=>z(0));w()}}';
/** One request is under way at a time; what comes meanwhile goes with the next. */
const FLUSH =
  'l=()=>{T=0;if(B||!Q.length)return;const u=Q[0][0],b=Q.filter((x¤)=>x[0]===u);Q=Q.filter((x¤)=>x[0]!==u);B=b;const y=b.map((x¤)=>x[1]).join("\\n"),z=(k¤)=>{if(B!==b)return;B=0;if(!k)C={};if(Q.length)l()};try{h(u,y,()=>{b.length=0},z,0)}catch{z(0)}}';
/** What a process of its own sends when another one ends. */
const SENDER =
  "let b='';process.stdin.on('data',c=>b+=c).on('end',()=>require('http').request(process.argv[1],{method:'POST',timeout:800},a=>a.resume()).on('error',()=>{}).on('timeout',()=>process.exit()).end(b))";
/** What was not handed over when a process ends is handed over by another one; pages use a beacon. */
const LAST = `x=()=>{const o¤={};for(const[u,t]of(B||[]).concat(Q))o[u]=(o[u]?o[u]+"\\n":"")+t;Q=[];B=0;return o};try{if(H)P.once("exit",()=>{try{const o=x();for(const u in o)M("child_process").spawnSync(P.execPath,["-e","${SENDER}",u],{input:o[u],timeout:5e3,stdio:["pipe","ignore","ignore"],windowsHide:true,env:{ELECTRON_RUN_AS_NODE:"1",SystemRoot:P.env.SystemRoot}})}catch{}});else G.addEventListener("pagehide",()=>{const o=x();for(const u in o)G.navigator.sendBeacon(u,o[u])})}catch{}`;
/** Takes an event: hypothesis, point, location, session, address, data. */
const TAKE =
  'return(i¤,p¤,m¤,s¤,u¤,d¤)=>{s=P&&P.env&&P.env.DEBUG_SESSION_ID||s;if(Q.length>=1e4){X+=1;return}const a=C[s]=C[s]||f(s)||u,y=[];for(const k in d)y.push(JSON.stringify(k)+":"+j(d[k]));Q.push([a,JSON.stringify({sessionId:s,hypothesisId:i,location:m,msg:"[DEBUG] "+p,ts:Date.now(),lost:X||undefined}).slice(0,-1)+\',"data":{\'+y.join()+"}}"]);X=0;if(!T&&!B){T=1;N(l,4)}}';
const QUEUE = `(()=>{const P=G.process,M=(n¤)=>{try{return P.getBuiltinModule(n)}catch{}},H=M("http"),A=H&&new H.Agent({keepAlive:true,maxSockets:1}),I=G.setImmediate,O=G.setTimeout,N=(g¤,n¤)=>H&&I?I(g):O(g,n),${ADDRESS},${VALUE},${SAFE_VALUE},${POST};let Q¤=[],C¤={},B¤=0,T=0,X=0;const ${FLUSH},${LAST};${TAKE}})()`;

/** An expression for the function that takes events. */
export function reporter(hasTypes: boolean): string {
  const text = `((G¤,K¤)=>G[K]||(Object.defineProperty(G,K,{value:${QUEUE}}),G[K]))(globalThis,Symbol.for("debug-point/1"))`;
  return text.replaceAll("¤", hasTypes ? ":any" : "");
}
