import { type InterfaceChange, InterfaceChanges, pairs } from './change.js';

/**
 * Changes of a report of a public API: sections `# entry`, and in each a line `Name: signature` for every export. A
 * signature that keeps all its members and gains some is an addition; any other change of it is breaking.
 */
export function reportChanges(old: string, now: string): InterfaceChange[] {
  const api = new InterfaceChanges('api');
  const [before, after] = [read(old), read(now)];
  for (const [entry, was, is] of pairs([...before], [...after], ([name]) => name)) {
    if (!is) api.breaks('entry-removed', entry, 'the entry is gone');
    else if (!was) api.adds('entry-added', entry, 'a new entry');
    else {
      for (const [name, signature, next] of pairs([...was[1]], [...is[1]], ([each]) => each)) {
        const subject = `${entry} ${name}`;
        if (!next) api.breaks('export-removed', subject, 'the export is gone');
        else if (!signature) api.adds('export-added', subject, 'a new export');
        else compare(subject, signature[1], next[1], api);
      }
    }
  }
  return api.list;
}

type Exports = ReadonlyMap<string, string>;

function read(text: string): Map<string, Exports> {
  const entries = new Map<string, Map<string, string>>();
  let current = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, entry] = /^# (.*)$/.exec(line) ?? [];
    const [, name, signature = ''] = /^([\w$]+): (.*)$/.exec(line) ?? [];
    if (entry !== undefined) entries.set(entry, (current = new Map<string, string>()));
    // An overloaded function has one line for each overload.
    else if (name !== undefined) current.set(name, [current.get(name), signature].filter(Boolean).join(' | '));
  }
  return entries;
}

function compare(subject: string, old: string, now: string, api: InterfaceChanges): void {
  if (old === now) return;
  const [before, after] = [membersOf(old), membersOf(now)];
  const gone = before?.members.filter((member) => after?.members.includes(member) !== true);
  if (before && after && gone && before.head === after.head) {
    if (gone.length === 0) {
      const added = after.members.filter((member) => !before.members.includes(member));
      api.adds('members-added', subject, `has ${shorten(added.join('; '))} too`);
    } else api.breaks('signature', subject, `has ${shorten(gone.join('; '))} no more, or otherwise`);
  } else api.breaks('signature', subject, `was ${shorten(old)} and is ${shorten(now)}`);
}

/** Members of an interface or object type, at its outermost level. */
function membersOf(signature: string): { readonly head: string; readonly members: readonly string[] } | undefined {
  const [, head, body] = /^((?:interface|type|class) [^{]*)\{(.*)\}$/.exec(signature) ?? [];
  if (head === undefined || body === undefined) return undefined;
  const members: string[] = [];
  let [depth, member] = [0, ''];
  for (const letter of body) {
    if ('{([<'.includes(letter)) depth++;
    if ('})]>'.includes(letter) && !member.endsWith('=')) depth--;
    if (letter === ';' && depth === 0) {
      members.push(member.trim());
      member = '';
    } else member += letter;
  }
  if (member.trim() !== '') members.push(member.trim());
  return { head, members };
}

function shorten(text: string): string {
  return text.length > 120 ? `${text.slice(0, 117)}…` : text;
}
