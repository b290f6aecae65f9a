import { createHash } from 'node:crypto';

export const styles = `
:root{color-scheme:light dark;--bg:#fff;--fg:#1a1d21;--soft:#5b6470;--line:#d9dee4;--panel:#f5f7f9;--good:#0a7a3b;--warn:#8a5a00;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--bg:#14171a;--fg:#e4e7ea;--soft:#9aa4af;--line:#2d3339;--panel:#1c2024;--good:#5fd38d;--warn:#f0b64a;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--fg);font:15px/1.5 system-ui,sans-serif}
main,header,footer{max-width:76rem;margin:0 auto;padding:0 1rem}
header{padding-top:1rem}h1{font-size:1.25rem;margin:0}h2{font-size:1rem;margin:1.6rem 0 .5rem}
p{margin:.3rem 0}.soft{color:var(--soft)}.good{color:var(--good)}.warn{color:var(--warn)}.bad{color:var(--bad)}
.banner{background:var(--panel);border-left:.3rem solid var(--warn);padding:.5rem 1rem;margin:1rem 0}
.alert{background:var(--panel);border-left:.3rem solid var(--line);padding:.6rem 1rem;margin:.5rem 0}
.alert.critical{border-color:var(--bad)}.alert.warning{border-color:var(--warn)}
.alert pre{margin:.4rem 0 0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
table{width:100%;border-collapse:collapse}th{text-align:left;font-weight:600;color:var(--soft)}
th,td{padding:.35rem .6rem .35rem 0;border-top:1px solid var(--line);vertical-align:top}
td{overflow-wrap:anywhere}.state{white-space:nowrap}.answer{display:block}code{font:.85em ui-monospace,monospace}
ul{margin:0;padding-left:1.1rem}footer{margin-top:2rem;padding-bottom:2rem}a{color:inherit}
@media(max-width:44rem){thead{display:none}tr{display:block;border-top:1px solid var(--line);padding:.4rem 0}
td{display:block;position:relative;min-height:1.7rem;border:0;padding:.1rem 0 .1rem 8.5rem;white-space:normal}
td::before{content:attr(data-label);color:var(--soft);position:absolute;left:0}td:empty{display:none}}
`;

/** Takes the new main part every few seconds; without it the page reloads as a whole. */
export const script = `
const everyMs=5000;
setInterval(async()=>{if(document.hidden)return;
try{const r=await fetch('/',{cache:'no-store'});if(!r.ok)throw 0;
const next=new DOMParser().parseFromString(await r.text(),'text/html');
document.querySelector('main').replaceWith(next.querySelector('main'));document.title=next.title;
document.documentElement.removeAttribute('data-stale')}
catch{document.title='(no answer) hubwatch';document.documentElement.setAttribute('data-stale','')}},everyMs)
`;

const digest = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Nothing on the page may load, run or be framed but what is written here. */
export const contentSecurityPolicy = `default-src 'none'; style-src ${digest(styles)}; script-src ${digest(script)}; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;
