import { cut } from '../words.js';
import type { Alert } from './alert.js';

/** What is told of one alert among others. */
export interface Member {
  readonly alert: Alert;
  readonly title: string;
  readonly text: string;
}

/** What happened before what will, and of that what is soonest. */
export const byUrgency = (a: Pick<Alert, 'dueMs'>, b: Pick<Alert, 'dueMs'>): number => (a.dueMs ?? 0) - (b.dueMs ?? 0);

/** Lines of one notice that name alerts; the rest is counted. */
const namedLines = 20;
const namesInTitle = 3;
/** Characters that the details of the first alerts may take. */
const detailLength = 6_000;

interface Words {
  readonly title: string;
  readonly text: string;
}

/** One notice for many alerts that fire: who they are, the soonest first, then the details of the first ones. */
export const groupFiring = (members: readonly Member[]): Words => {
  const sorted = members.toSorted((a, b) => byUrgency(a.alert, b.alert));
  return {
    title: `${members.length} at once: ${names(sorted)}`,
    text: [...listed(sorted), '', ...details(sorted)].join('\n').trim(),
  };
};

/** One notice for what is over of a group, and what goes on. */
export const groupRecovered = (over: readonly Member[], remaining: readonly Alert[]): Words => {
  const [only] = over;
  const rest =
    remaining.length === 0
      ? []
      : [
          `${remaining.length} of the same notice ${remaining.length === 1 ? 'goes' : 'go'} on:`,
          ...listed(remaining.toSorted(byUrgency).map((alert) => ({ alert, title: alert.title, text: '' }))),
        ];
  if (over.length === 1 && only !== undefined)
    return { title: only.title, text: [only.text, '', ...rest].join('\n').trim() };
  return {
    title: `${over.length} over${remaining.length === 0 ? '' : `, ${remaining.length} go on`}: ${names(over)}`,
    text: [...listed(over), '', ...rest].join('\n').trim(),
  };
};

/** Name that people know the subject by: titles begin with it. */
export const nameOf = (title: string): string => /^(.{1,80}?): /s.exec(title)?.[1] ?? title.slice(0, 80);

const names = (members: readonly Member[]): string => {
  const first = members.slice(0, namesInTitle).map(({ title }) => nameOf(title));
  const others = members.length - first.length;
  return others === 0 ? first.join(', ') : `${first.join(', ')} and ${others} more`;
};

const listed = (members: readonly Member[]): readonly string[] => {
  const others = members.length - namedLines;
  // A remainder of one takes the line in which it would be counted.
  const shown = others > 1 ? members.slice(0, namedLines) : members;
  return [
    ...shown.map(({ title }) => `- ${cut(title.replaceAll('\n', ' '), 200)}`),
    ...(others > 1 ? [`- and ${others} more`] : []),
  ];
};

const details = (members: readonly Member[]): readonly string[] => {
  const parts: string[] = [];
  let length = 0;
  for (const { title, text } of members) {
    length += title.length + text.length;
    if (text === '' || length > detailLength) break;
    parts.push(title, text, '');
  }
  const left = members.length - parts.length / 3;
  return parts.length === 0 || left === 0 ? parts : [...parts, 'The status page has the details of the others.'];
};
