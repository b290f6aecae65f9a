import { counted, span } from '../words.js';
import { byUrgency } from './alerts-part.js';
import { notAsked } from './not-read.js';
import type { StatusView } from './status-view.js';

/** Overall state in one sentence. `unknown` is not `good`: a subject that was not read is not healthy. */
export interface Overall {
  readonly level: 'good' | 'warn' | 'bad' | 'unknown';
  readonly headline: string;
  /** Further facts for the summary. */
  readonly facts: readonly string[];
}

/** Age of the latest block, in seconds, from which the page reports it as old. The alert fires later. */
const oldBlockSeconds = 120;

/** Time left for a heartbeat below which the page reports a problem, regardless of the rule's threshold; seconds. */
const shortSeconds = 240;

export const overallOf = (view: StatusView): Overall => {
  const facts = [
    endpointsFact(view),
    nodesFact(view),
    deadlineFact(view),
    ...(isWatching(view) ? [] : [howToWatch]),
  ].filter((fact) => fact !== undefined);
  return { ...judge(view), facts };
};

const judge = (view: StatusView): Pick<Overall, 'level' | 'headline'> => {
  const firing = view.alerts.filter(({ state }) => state === 'firing');
  const critical = firing.filter(({ severity }) => severity === 'critical');
  const warnings = firing.filter(({ severity }) => severity === 'warning');
  if (critical.length > 0)
    return { level: 'bad', headline: `${counted(critical.length, 'critical alert')}${first(critical)}` };
  const asked = view.endpoints.filter((endpoint) => !('notRead' in endpoint && endpoint.notRead === notAsked));
  if (asked.length === 0) return { level: 'unknown', headline: 'Starting: no endpoint has been asked yet' };
  if (view.chain.head === undefined)
    return { level: 'unknown', headline: 'No data: no endpoint reports the latest block' };
  if (warnings.length > 0)
    return { level: 'warn', headline: `${counted(warnings.length, 'warning')}${first(warnings)}` };
  const broken = view.channels.find(({ failing }) => failing !== undefined);
  if (broken !== undefined)
    return { level: 'warn', headline: `Notices are not delivered to everyone: ${broken.name} fails` };
  const unread = view.nodes.filter((node) => 'notRead' in node).length;
  if (unread > 0) return { level: 'unknown', headline: `${counted(unread, 'watched node')} could not be read` };
  const next = nextDeadline(view);
  if (next !== undefined && next.secondsLeft < shortSeconds)
    return { level: 'warn', headline: `${next.name} has ${span(next.secondsLeft * 1_000)} left for its heartbeat` };
  if (view.chain.head.ageSeconds > oldBlockSeconds)
    return { level: 'warn', headline: `The latest block is ${span(view.chain.head.ageSeconds * 1_000)} old` };
  if (!isWatching(view)) return { level: 'unknown', headline: 'Only endpoints are watched' };
  return { level: 'good', headline: 'All is well' };
};

/** Whether the configuration watches any node, provider or account. */
const isWatching = ({ nodes, providers, accounts }: StatusView): boolean =>
  nodes.length + providers.length + accounts.length > 0;

const howToWatch =
  'to watch nodes, providers or accounts, list their addresses under `watch` in the configuration file and restart';

const first = (alerts: StatusView['alerts']): string => {
  const [one, ...others] = alerts.toSorted(byUrgency);
  if (one === undefined) return '';
  return others.length === 0 ? `: ${one.title}` : `, first ${one.title}`;
};

const endpointsFact = ({ endpoints }: StatusView): string => {
  const answering = endpoints.filter(
    (endpoint) => !('notRead' in endpoint) && Object.values(endpoint.transports).some(({ state }) => state === 'known'),
  ).length;
  return `${answering} of ${counted(endpoints.length, 'endpoint')} ${answering === 1 ? 'answers' : 'answer'}`;
};

const nodesFact = ({ nodes }: StatusView): string | undefined => {
  if (nodes.length === 0) return undefined;
  const active = nodes.filter((node) => !('notRead' in node) && node.status === 'active').length;
  return `${active} of ${counted(nodes.length, 'watched node')} active`;
};

const nextDeadline = ({ nodes }: StatusView): { readonly name: string; readonly secondsLeft: number } | undefined =>
  nodes
    .flatMap((node) =>
      'notRead' in node || node.secondsLeft === undefined || node.status !== 'active'
        ? []
        : [{ name: node.alias ?? node.address, secondsLeft: node.secondsLeft }],
    )
    .toSorted((a, b) => a.secondsLeft - b.secondsLeft)[0];

const deadlineFact = (view: StatusView): string | undefined => {
  const next = nextDeadline(view);
  return next && `next heartbeat deadline in ${span(next.secondsLeft * 1_000)} (${next.name})`;
};
