import { createHash } from 'node:crypto';

export const styles = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1a1d21;--soft:#5b6470;--line:#d9dee4;--panel:#f5f7f9;--good:#0a7a3b;--warn:#8a5a00;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e4e7ea;--soft:#9aa4af;--line:#2d3339;--panel:#1c2024;--good:#5fd38d;--warn:#f0b64a;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
header{padding-top:.8rem}h1{font-size:1.1rem;margin:0}h1 .soft{font-weight:400}h2{font-size:1rem;margin:1.6rem 0 .5rem}
p{margin:.2rem 0}.soft{color:var(--soft)}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.banner{background:var(--panel);padding:.4rem .8rem;margin:.6rem 0;color:var(--soft);font-size:.9rem}
.overall,.alert{background:var(--panel);border-left:.35rem solid var(--line);padding:.7rem 1rem;margin:.6rem 0}
.headline{font-size:1.35rem;font-weight:650;line-height:1.3}
.overall.is-good{border-color:var(--good)}.overall.is-warn,.overall.is-unknown,.alert.warning{border-color:var(--warn)}.overall.is-bad,.alert.critical{border-color:var(--bad)}
.overall.is-good .headline{color:var(--good)}.overall.is-warn .headline,.overall.is-unknown .headline{color:var(--warn)}.overall.is-bad .headline{color:var(--bad)}
pre{margin:.4rem 0 0;font:inherit;white-space:pre-wrap}
table{width:100%;border-collapse:collapse}th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:.4rem .8rem .4rem 0;border-top:1px solid var(--line);vertical-align:top}
.answer{white-space:nowrap}code{font:.85em ui-monospace,monospace;color:var(--soft)}.who strong{margin-right:.3rem}
ul{margin:.2rem 0;padding-left:1.1rem}summary{cursor:pointer}footer{margin-top:2rem;padding-bottom:2rem}a{color:inherit}
[data-stale] main::before{content:"hubwatch does not answer: what follows is old.";display:block;color:var(--bad);font-weight:650;margin:.6rem 0}
@media(min-width:44.01rem){th,.short{white-space:nowrap}.who code,.who strong{display:block}.who{width:24%}}
@media(max-width:44rem){.cards thead{display:none}.cards tr{display:block;border-top:1px solid var(--line);padding:.5rem 0}
.cards td{display:inline-block;border:0;padding:0;margin-right:1rem}.cards td.who,.cards td.wide{display:block;margin:0}
.cards td[data-label]::before{content:attr(data-label) " ";color:var(--soft)}.cards td:empty{display:none}.cards code{font-size:.72rem}}
`;

/** Replaces the main part every few seconds and keeps open sections open. Without scripts the whole page reloads. */
export const script = `
const everyMs=5000;
setInterval(async()=>{if(document.hidden||String(getSelection()))return;
try{const r=await fetch('/',{cache:'no-store'});if(!r.ok)throw 0;
const next=new DOMParser().parseFromString(await r.text(),'text/html');
const open=[...document.querySelectorAll('details[open]')].map(d=>d.id);
document.querySelector('main').replaceWith(next.querySelector('main'));document.title=next.title;
for(const id of open){const d=document.getElementById(id);if(d)d.open=true}
document.documentElement.removeAttribute('data-stale')}
catch{document.title='(no answer) hubwatch';document.documentElement.setAttribute('data-stale','')}},everyMs)
`;

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page may load, run or embed only the content defined here. */
export const contentSecurityPolicy = `default-src 'none'; style-src ${digest(styles)}; script-src ${digest(script)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
