import { hasIncreased } from '../prometheus.js';
import { getNodeInfo } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import type { Endpoint } from '../../endpoints/endpoint.js';
import type { Change } from '../../store/change-history.js';
import { cut, utc } from '../../words.js';
import type { Check, CheckRule, CollectContext, Target } from '../check.js';
import { counter, info, sample } from '../family.js';

interface VersionReading {
  readonly name: string;
  readonly version: string;
  readonly stackVersion: string;
}

/** Transport over which a version was read. */
type Source = 'grpc' | 'rest' | 'rpc';

interface SourcedVersion extends VersionReading {
  readonly source: Source;
}

interface CountedVersion extends SourcedVersion {
  /** Number of changes since the store was created, and the latest change while it is reported. */
  readonly changes: number;
  readonly news: Change | undefined;
}

const kind = 'app version';
/** How long a new version is reported. */
const newsMs = 86_400_000;

const appInfo = info(
  'hub_app_info',
  ['endpoint', 'name', 'version', 'stack_version'],
  'Application that the endpoint runs; the value is always 1',
);

const ofNodeInfo =
  (transport: 'grpc' | 'rest') =>
  async (endpoint: Endpoint, signal: AbortSignal): Promise<VersionReading> => {
    const { message } = await endpoint.query(transport, getNodeInfo, {}, { signal });
    const version = message.applicationVersion;
    return { name: version?.name ?? '', version: version?.version ?? '', stackVersion: version?.stackSdkVersion ?? '' };
  };

const changesTotal = counter(
  'hub_app_version_changes_total',
  ['endpoint'],
  'Changes of the application or its version since the store was created',
);

const versionChanged: CheckRule<Target, CountedVersion> = {
  name: 'HubAppVersionChanged',
  severity: 'info',
  forMs: 0,
  time: 'clock',
  deviation: 'A change counts when the one source of an endpoint has reported it twice in a row.',
  prometheus: {
    expr: hasIncreased('hub_app_version_changes_total', newsMs),
    labels: ['endpoint'],
    summary: '{{ $labels.endpoint }}: the application version changed',
    description:
      'A node with the wrong version may stop at the next upgrade or apply different rules. Check that the change was intended; `hub_app_info` shows the new version.',
  },
  judge({ key }, { news }) {
    // A change is information and not a problem, so there is no recovery notice.
    const base = { subject: key, term: news === undefined ? '' : String(news.atMs), passedOn: true };
    if (news === undefined) return { ...base, state: 'ok', title: `${key}: runs what it ran`, text: '' };
    const [before, after] = [cut(news.before, 80), cut(news.after, 80)];
    return {
      ...base,
      state: 'firing',
      title: `${key}: runs ${after} now, ${before} before`,
      text: `First seen at ${utc(news.atMs)}. Was it meant? A node of another version may stop at the next upgrade or follow other rules.`,
    };
  },
};

/**
 * Stores a version that an endpoint reported. Only one source counts changes of an endpoint: the best one that ever responded,
 * because the others report other program names. A new value counts after this source reported it twice in a row, because a
 * starting node responds before it runs its program. The first value of a source is not a change.
 */
const note = (
  { changes, clock }: Pick<CollectContext, 'changes' | 'clock'>,
  { name: subject, has }: Pick<Endpoint, 'name' | 'has'>,
  reading: SourcedVersion,
  before: SourcedVersion | undefined,
): void => {
  const { source } = reading;
  const isKnown = (one: Source): boolean => changes.known(kind, subject, one) !== undefined;
  const isAuthority = source === sources.find((one) => has[one] && isKnown(one));
  const isRepeated = before?.source === source && textOf(before) === textOf(reading);
  if (isKnown(source) && !(isAuthority && isRepeated)) return;
  changes.note({ kind, subject, fields: { [source]: textOf(reading) }, height: undefined, atMs: clock.nowMs() });
};

const textOf = ({ name, version }: VersionReading): string => `${name} ${version}`.trim();

/** Sources of the version, best first: the consensus RPC does not report the version of the framework. */
const sources: readonly Source[] = ['grpc', 'rest', 'rpc'];
const readers: Readonly<Record<Source, (endpoint: Endpoint, signal: AbortSignal) => Promise<VersionReading>>> = {
  grpc: ofNodeInfo('grpc'),
  rest: ofNodeInfo('rest'),
  async rpc(endpoint, signal) {
    const { data, version } = await endpoint.rpc('abci_info', {}, { signal });
    return { name: data, version, stackVersion: '' };
  },
};

/** Application and framework version of every endpoint. A separate job, because the response lists every build dependency. */
export const endpointVersion: Check<Target, CountedVersion> = {
  name: 'versions',
  families: [appInfo, changesTotal],
  everyMs: (config) => config.poll.other,
  targets: (config) => config.endpoints.map(({ name }) => ({ key: name })),
  async collect(target, { pool, changes, clock, previous, signal }) {
    const endpoint = pool.endpoints.find(({ name }) => name === target.key);
    if (endpoint === undefined) throw new Error(`endpoint ${target.key} is not configured`);
    let first: unknown;
    for (const source of sources.filter((one) => endpoint.has[one])) {
      try {
        const reading = await readers[source](endpoint, signal);
        note({ changes, clock }, endpoint, { ...reading, source }, previous as SourcedVersion | undefined);
        const [newest] = changes.changes(kind, target.key);
        const isNews = newest !== undefined && newest.atMs > clock.nowMs() - newsMs;
        return { ...reading, source, changes: changes.count(kind, target.key), news: isNews ? newest : undefined };
      } catch (error) {
        if (signal.aborted) throw error;
        first ??= error;
      }
    }
    throw first;
  },
  metrics: ({ key }, { name, version, stackVersion, changes }) => [
    sample(appInfo, [key, name, version, stackVersion], 1),
    sample(changesTotal, [key], changes),
  ],
  rules: [versionChanged],
};
