import { type Clock, pause, systemClock } from '@hubwatch/client';
import { allowedNames, nearestKey } from '../config/nearest-key.js';
import type { Config } from '../config/schema.js';
import { rules } from '../rules/index.js';
import type { Connect } from '../watching.js';
import { timeoutOf } from './asked-endpoint.js';
import { oneRound } from './one-round.js';
import { type PluginResult, pluginFailure, pluginResult } from './plugin-result.js';
import { UsageError } from './usage-error.js';

export interface CheckArguments {
  readonly rule?: string | undefined;
  readonly timeout?: string | undefined;
  readonly verbose?: boolean | undefined;
}

/** Default timeout: monitoring systems usually stop a plugin after a minute. */
const usualTimeoutMs = 50_000;

/**
 * `hubwatch check`: runs one round of polls and reports the verdicts as a monitoring plugin. Hold times, silences and
 * maintenance windows are left to the caller, which has its own.
 *
 * @throws UsageError
 */
export const checkCommand = async (
  config: Config,
  words: readonly string[],
  args: CheckArguments,
  { clock = systemClock, connectTo }: { readonly clock?: Clock; readonly connectTo?: Connect } = {},
): Promise<PluginResult> => {
  const asked = { rules: rulesOf(args.rule), subjects: words.map((word) => subjectOf(config, word)) };
  const timeoutMs = timeoutOf(args.timeout, usualTimeoutMs);
  const over = new AbortController();
  const round = await Promise.race([
    oneRound(config, { clock, signal: over.signal, connectTo }),
    pause(clock, timeoutMs, over.signal).then(() => undefined),
  ]).finally(() => over.abort());
  if (round === undefined)
    return { state: 'unknown', text: pluginFailure(`the round was not over in ${timeoutMs / 1_000} s`) };
  return pluginResult(round, asked, args.verbose === true);
};

const rulesOf = (text: string | undefined): readonly string[] => {
  if (text === undefined) return [];
  const names = rules.map(({ name }) => name);
  return text.split(',').map((written) => {
    const name = written.trim();
    if (names.includes(name)) return name;
    throw new UsageError(`--rule: unknown rule ${JSON.stringify(name)}${allowedNames(nearestKey(name, names), names)}`);
  });
};

/** Subject of verdicts: the name of an endpoint, or the address of a watched subject, also given by its alias. */
const subjectOf = ({ endpoints, watch }: Config, word: string): string => {
  const watched = [...watch.nodes, ...watch.providers, ...watch.accounts];
  const endpoint = endpoints.find(({ name }) => name === word);
  const found = endpoint?.name ?? watched.find(({ alias, address }) => alias === word || address === word)?.address;
  if (found !== undefined) return found;
  const names = [...endpoints.map(({ name }) => name), ...watched.map(({ alias, address }) => alias ?? address)];
  throw new UsageError(
    `check: nothing is watched under ${JSON.stringify(word)}${allowedNames(nearestKey(word, names), names)}`,
  );
};
