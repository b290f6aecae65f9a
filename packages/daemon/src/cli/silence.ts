import { createSilenceStore, type Silence } from '../alerts/silences.js';
import { allowedNames, nearestKey } from '../config/nearest-key.js';
import { duration } from '../config/scalars.js';
import { subjectNamed } from '../config/watched-subjects.js';
import type { Config } from '../config/schema.js';
import { rules } from '../rules/index.js';
import { span, utc } from '../words.js';
import { UsageError } from './usage-error.js';
import { withStore } from './with-store.js';

/** Options from the command line; all values are strings. */
export interface SilenceOptions {
  readonly for?: string | undefined;
  readonly rule?: string | undefined;
  readonly subject?: string | undefined;
  readonly comment?: string | undefined;
}

/** Adds a silence to the store of a daemon, running or not. Returns the text to print. */
export const addSilence = (config: Config, options: SilenceOptions, nowMs: number): string => {
  const facts = silenceOf(config, options, nowMs);
  return withStore(config, (store) => `silenced until ${line(createSilenceStore(store).add(facts), nowMs)}`);
};

/** The silences of a store as text, one per line. */
export const listSilences = (config: Config, nowMs: number): string =>
  withStore(config, (store) => {
    const all = createSilenceStore(store).current(nowMs);
    return all.length === 0 ? 'no silences\n' : all.map((silence) => line(silence, nowMs)).join('');
  });

/** Ends a silence. Returns the text to print. @throws Error if there is none with that ID */
export const endSilence = (config: Config, id: string, nowMs: number): string =>
  withStore(config, (store) => {
    if (!createSilenceStore(store).end(id, nowMs))
      throw new Error(`there is no silence ${JSON.stringify(id)}; see hubwatch silence list`);
    return `ended ${id}\n`;
  });

const silenceOf = (config: Config, options: SilenceOptions, nowMs: number): Omit<Silence, 'id'> => {
  const { rule, subject, comment } = options;
  if (options.for === undefined) throw new UsageError('--for is required: a duration such as 30m, 2h or 7d');
  const length = duration({ min: '1m', max: '90d' }).safeParse(options.for);
  if (!length.success) throw new UsageError(`--for: ${length.error.issues[0]?.message ?? 'expected a duration'}`);
  if (comment === undefined || comment.trim() === '')
    throw new UsageError('--comment is required: the reason for the silence');
  if (rule === undefined && subject === undefined)
    throw new UsageError('--rule or --subject is required: a silence cannot cover everything');
  const names = rules.map(({ name }) => name);
  if (rule !== undefined && !names.includes(rule)) {
    throw new UsageError(`--rule: unknown rule ${JSON.stringify(rule)}${allowedNames(nearestKey(rule, names), names)}`);
  }
  return {
    rule,
    subject: subject === undefined ? undefined : subjectOf(config, subject),
    fromMs: nowMs,
    untilMs: nowMs + length.data,
    comment,
  };
};

/** Resolves a name, an alias or an address. @throws UsageError if no watched subject matches */
const subjectOf = (config: Config, written: string): string => {
  const found = subjectNamed(config, written);
  if ('fault' in found) throw new UsageError(`--subject: ${found.fault}`);
  return found.subject;
};

const line = (
  { id, rule = 'every rule', subject = 'every subject', untilMs, comment }: Silence,
  nowMs: number,
): string =>
  `${utc(untilMs)} (${span(untilMs - nowMs)} left)  ${id}  ${rule}, ${subject}: ${comment.replace(/\p{Cc}/gu, ' ')}\n`;
