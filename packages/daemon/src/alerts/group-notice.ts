import { cut } from '../words.js';
import type { Notice, NoticeMember } from './alert.js';

/** Content of a group notice for one alert. */
export interface Member {
  readonly subject: string;
  readonly title: string;
  readonly text: string;
  readonly dueMs?: number | undefined;
  readonly leases?: number | undefined;
}

/** Past events before future ones; of the latter the earliest first. */
const byUrgency = (a: Member, b: Member): number => (a.dueMs ?? 0) - (b.dueMs ?? 0);

const namesInTitle = 3;
/** Maximum length of the details of the first alerts, in characters. */
const detailLength = 6_000;
/** Maximum length of a title in a list, in characters. */
const titleLength = 200;

type GroupNotice = Pick<Notice, 'title' | 'text' | 'members'>;

/** Creates one notice for many firing alerts: the list of all, those with leases first, then the details of the first ones. */
export const groupFiring = (members: readonly Member[]): GroupNotice => {
  const sorted = members.toSorted(byStake);
  return {
    title: `${members.length} alerts firing: ${names(sorted)}`,
    text: details(sorted).join('\n').trim(),
    members: sorted.map((member) => listed(member, true)),
  };
};

/** Creates one notice for the resolved members of a group and the ones that still fire. */
export const groupRecovered = (over: readonly Member[], remaining: readonly Member[]): GroupNotice => {
  const [only] = over;
  const members = [
    ...over.toSorted(byStake).map((member) => listed(member, false)),
    ...remaining.toSorted(byStake).map((member) => listed(member, true)),
  ];
  if (over.length === 1 && only !== undefined) return { title: only.title, text: only.text, members };
  const rest = remaining.length === 0 ? '' : `, ${remaining.length} still firing`;
  return { title: `${over.length} resolved${rest}: ${names(over)}`, text: '', members };
};

/** Display name of the subject: the beginning of a title. */
export const noticeName = (title: string): string => /^(.{1,80}?): /s.exec(title)?.[1] ?? title.slice(0, 80);

/** Order by the number of leases at stake, highest first; then by urgency. */
const byStake = (a: Member, b: Member): number => (b.leases ?? 0) - (a.leases ?? 0) || byUrgency(a, b);

const listed = ({ subject, title }: Member, isFiring: boolean): NoticeMember => ({
  subject,
  title: cut(title.replaceAll('\n', ' '), titleLength),
  isFiring,
});

const names = (members: readonly Member[]): string => {
  const first = members.slice(0, namesInTitle).map(({ title }) => noticeName(title));
  const others = members.length - first.length;
  return others === 0 ? first.join(', ') : `${first.join(', ')} and ${others} more`;
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
