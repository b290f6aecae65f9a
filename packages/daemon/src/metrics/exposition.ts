import type { Family, Sample } from '../checks/family.js';
import type { Snapshot } from '../observations/observations.js';
import { cut } from '../words.js';

/** Maximum number of chain series per page; further series are counted, not exported. */
export const seriesLimit = 100_000;

/** Text of a page, and statistics for tests and gauges. */
export interface Exposition {
  readonly text: string;
  /** Series by top-level group of their names (`hub_node`, `hub_lease`). */
  readonly seriesByGroup: ReadonlyMap<string, number>;
  readonly dropped: number;
}

/** Cached lines of a snapshot by family; a snapshot never changes. */
const rendered = new WeakMap<Snapshot, ReadonlyMap<Family, readonly string[]>>();

/** Writes snapshots in the Prometheus text format, families in the given order, each under one header. */
export const expose = (
  families: readonly Family[],
  snapshots: readonly Snapshot[],
  limit = seriesLimit,
): Exposition => {
  const lines = new Map<Family, string[]>();
  let series = 0;
  let dropped = 0;
  for (const snapshot of snapshots) {
    for (const [family, ofFamily] of linesOf(snapshot)) {
      const room = Math.max(0, limit - series);
      const taken = ofFamily.length <= room ? ofFamily : ofFamily.slice(0, room);
      series += taken.length;
      dropped += ofFamily.length - taken.length;
      const known = lines.get(family);
      if (known === undefined) lines.set(family, [...taken]);
      else for (const line of taken) known.push(line);
    }
  }
  const parts: string[] = [];
  const seriesByGroup = new Map<string, number>();
  for (const family of families) {
    const ofFamily = lines.get(family);
    if (ofFamily === undefined || ofFamily.length === 0) continue;
    parts.push(header(family), ofFamily.join('\n'), '\n');
    const group = groupOf(family.name);
    seriesByGroup.set(group, (seriesByGroup.get(group) ?? 0) + ofFamily.length);
  }
  return { text: parts.join(''), seriesByGroup, dropped };
};

const linesOf = (snapshot: Snapshot): ReadonlyMap<Family, readonly string[]> => {
  const known = rendered.get(snapshot);
  if (known !== undefined) return known;
  const lines = new Map<Family, string[]>();
  for (const one of snapshot.samples) {
    const ofFamily = lines.get(one.family);
    if (ofFamily === undefined) lines.set(one.family, [line(one)]);
    else ofFamily.push(line(one));
  }
  rendered.set(snapshot, lines);
  return lines;
};

const line = ({ family, labels, value }: Sample): string => {
  if (labels.length === 0) return `${family.name} ${number(value)}`;
  const pairs = family.labels.map((name, index) => `${name}="${escapeLabel(labels[index] ?? '')}"`);
  return `${family.name}{${pairs.join(',')}} ${number(value)}`;
};

const header = ({ name, help, type }: Family): string =>
  `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}\n# TYPE ${name} ${type === 'counter' ? 'counter' : 'gauge'}\n`;

/** Maximum length of an exported label value: a name from an endpoint may have any length. */
const labelLength = 1_000;

/**
 * Escapes backslash, quote and line feed. A lone surrogate would not be UTF-8 and becomes the replacement character.
 */
const escapeLabel = (whole: string): string => {
  const value = cut(whole, labelLength);
  const text = /[\\"\n]/.test(value) ? value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n') : value;
  return text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
};

const number = (value: number): string => {
  if (Number.isFinite(value)) return String(value);
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
};

const groupOf = (name: string): string => name.split('_').slice(0, 2).join('_');
