import { firstHeight } from '@hubwatch/client';
import { isExact } from '../../endpoints/state-search.js';
import { counted, oneLine, span, utc } from '../../words.js';
import { maxRequests } from '../budget.js';
import { ageOf, type Diagnosis, lowestOf, newestOf, stateHeights, type StateFacts, type Way } from '../diagnosis.js';
import { causeOf, type Cause, failedWays } from '../findings/cause.js';
import type { Finding } from '../findings/finding.js';
import { interfaceServices, serviceDifference } from '../findings/interface.js';
import { type WayName, wayTitles } from '../subject.js';
import { columns, labelWidth, type Paint, section, wrapped } from './layout.js';

/** Report of facts and advice, as text of 80 columns that ends with the advice. */
export const doctorReport = (diagnosis: Diagnosis, findings: readonly Finding[], paint: Paint): string =>
  [
    ...wrapped('', paint.heading(`hubwatch doctor: ${oneLine(diagnosis.subject.name, 60)}`)),
    ...wrapped('', howWords[diagnosis.subject.how]),
    ...wayLines(diagnosis, paint),
    ...facts(diagnosis, paint),
    '',
    ...adviceLines(findings, paint),
    '',
    `${counted(diagnosis.requests, 'request')} of at most ${maxRequests}, ${(diagnosis.tookMs / 1_000).toFixed(1)} s; read-only.`,
    '',
  ].join('\n');

const howWords: Readonly<Record<Diagnosis['subject']['how'], string>> = {
  configured: 'Addresses from the configuration.',
  given: 'Addresses as given.',
  usual: 'Only a host was given: the default ports 9090, 1317 and 26657 are tried.',
};

const facts = (diagnosis: Diagnosis, paint: Paint): readonly string[] => {
  const isUp = [...diagnosis.ways.values()].some(({ failure }) => failure === undefined);
  if (!isUp) return [];
  return [
    ...section('Node', identityRows(diagnosis), paint),
    ...section('Services', serviceRows(diagnosis), paint),
    ...section('History', historyRows(diagnosis), paint),
  ];
};

const causeWords: Readonly<Record<Cause, string>> = {
  name: 'no: the name does not resolve',
  refused: 'no: connection refused',
  unreachable: 'no: unreachable',
  silent: 'no: connecting timed out',
  speaks_tls: 'no: the port expects TLS',
  speaks_no_tls: 'no: the port does not use TLS',
  rate_limited: 'no: too many requests (429)',
  wrong_port: 'no: another interface answers',
  redirected: 'no: redirect',
  untrusted: 'no: untrusted certificate',
  no_http2: 'no: TLS without HTTP/2',
  starting: 'no: the node has no block yet',
  other_network: 'no: the services of hub v12 are unknown',
  proxy: 'no: a proxy answers instead',
  hangs: 'no: connected, but no answer',
  other: 'no: request failed',
};

const wayLines = (diagnosis: Diagnosis, paint: Paint): readonly string[] => {
  const causes = new Map(failedWays(diagnosis).map((failed) => [failed.name, causeOf(failed)]));
  const ways = [...diagnosis.ways].map(([name, way]) => {
    const cause = causes.get(name);
    const isUp = cause === undefined;
    const found = isUp ? answerWords(name, way, diagnosis) : causeWords[cause];
    return { title: wayTitles[name], address: oneLine(way.address), found, colour: isUp ? paint.good : paint.bad };
  });
  const width = Math.max(...ways.map(({ address }) => address.length));
  const fits = width + Math.max(...ways.map(({ found }) => found.length)) <= columns - labelWidth - 4;
  return ['', paint.heading('Answers'), ...ways.flatMap((one) => wayLine(one, fits ? width : undefined))];
};

/** An address and its result on one line, or on two if they do not fit. */
const wayLine = (
  way: { readonly title: string; readonly address: string; readonly found: string; colour(text: string): string },
  width: number | undefined,
): readonly string[] => {
  const label = `  ${way.title.padEnd(labelWidth)}`;
  const found = way.colour(way.found);
  return width === undefined
    ? [`${label}${way.address}`, `${' '.repeat(label.length)}${found}`]
    : [`${label}${way.address.padEnd(width)}  ${found}`];
};

const answerWords = (name: WayName, { stateHeight }: Way, { engine }: Diagnosis): string => {
  if (name === 'rpc') return engine === undefined ? 'yes' : `yes, block ${engine.height}`;
  return stateHeight === undefined ? 'yes' : `yes, state ${stateHeight}`;
};

type Rows = readonly (readonly [string, string | undefined])[];

const identityRows = (diagnosis: Diagnosis): Rows => {
  const { engine, application } = diagnosis;
  const newest = newestOf(diagnosis);
  const state = lowestOf(stateHeights(diagnosis));
  const chainId = engine?.chainId ?? application.chainId ?? newest?.chainId;
  return [
    ['chain', chainId && oneLine(chainId, 60)],
    ['release', releaseWords(diagnosis)],
    ['moniker', engine && oneLine(engine.moniker, 60)],
    [
      'latest',
      newest &&
        `block ${newest.height}${newest.timeMs === undefined ? '' : ` of ${utc(newest.timeMs)}, ${ageWords(ageOf(diagnosis, newest.timeMs))}`}`,
    ],
    [
      'state',
      state === undefined ? undefined : `${state}${newest === undefined ? '' : lagWords(newest.height - state)}`,
    ],
    ['sync', engine && (engine.catchingUp ? 'reports catching up' : 'reports in sync')],
    ['upgrade', upgradeWords(application.plan)],
    [
      'peers',
      engine?.peers &&
        `${engine.peers.inbound + engine.peers.outbound} (${engine.peers.inbound} in, ${engine.peers.outbound} out)`,
    ],
    ['clock', skewWords(engine?.skewSeconds)],
  ];
};

const releaseWords = ({ application, engine }: Diagnosis): string | undefined => {
  const parts = [
    application.version && `${application.name ?? ''} ${application.version}`.trim(),
    application.stackVersion && `framework ${application.stackVersion}`,
    engine?.version && `engine ${engine.version}`,
  ].filter((part) => part !== undefined && part !== '');
  return parts.length === 0 ? undefined : oneLine(parts.join(', '));
};

/** Clocks with whole seconds can put a new block up to a second into the future. */
const ageWords = (ms: number): string => (ms <= -1_000 ? `${span(-ms)} from now` : `${span(Math.max(0, ms))} old`);

const lagWords = (blocks: bigint): string =>
  blocks <= 0n ? '' : `, ${blocks} ${blocks === 1n ? 'block' : 'blocks'} behind the latest`;

const upgradeWords = (plan: Diagnosis['application']['plan']): string | undefined => {
  if (plan === undefined) return undefined;
  return plan === 'none' ? 'none planned' : `${oneLine(plan.name, 60)} at ${plan.height}`;
};

const skewWords = (seconds: number | undefined): string | undefined => {
  if (seconds === undefined) return undefined;
  // Its Date has whole seconds, and the request takes time.
  return Math.abs(seconds) <= 2
    ? 'agrees with the local clock'
    : `${span(Math.abs(seconds) * 1_000)} ${seconds > 0 ? 'ahead of' : 'behind'} the local clock`;
};

const serviceRows = (diagnosis: Diagnosis): Rows => {
  const { engine, application } = diagnosis;
  const difference = serviceDifference(diagnosis);
  return [
    [
      'services',
      difference &&
        `${interfaceServices.size - difference.missing.length} of ${interfaceServices.size} of hub v12 over gRPC${
          difference.further.length === 0 ? '' : `, and ${difference.further.length} further`
        }`,
    ],
    ...[...application.asked].map(([way, count]): Rows[number] => {
      const refused = application.refused.filter((one) => one.way === way).length;
      return ['methods', `${count - refused} of ${count} tried over ${wayTitles[way]}`];
    }),
    ['websocket', yesNo(engine?.websocket)],
    ['index', engine && indexWords(engine.index)],
    [
      'results',
      engine?.keepsResults === undefined ? undefined : engine.keepsResults ? 'block results stored' : 'not stored',
    ],
    ['unsafe', engine && unsafeWords(engine.exposesUnsafe)],
  ];
};

const yesNo = (is: boolean | undefined): string | undefined => (is === undefined ? undefined : is ? 'yes' : 'no');

const unsafeWords = (is: boolean | undefined): string =>
  is === undefined ? 'unknown; a test would have to run one' : is ? 'methods are exposed' : 'not exposed';

const indexWords = ({ state, lag, reachesFirst }: NonNullable<Diagnosis['engine']>['index']): string | undefined => {
  if (state === undefined) return undefined;
  if (state === 'off') return 'off';
  if (state === 'not_searchable') return 'on, but not searchable';
  const behind =
    lag === undefined
      ? ''
      : lag === 'none_found'
        ? ', without the latest blocks'
        : `, at most ${lag} ${lag === 1n ? 'block' : 'blocks'} behind`;
  const back =
    reachesFirst === undefined ? '' : reachesFirst ? ', back to the oldest block' : ', not back to the oldest block';
  return `on${behind}${back}`;
};

const historyRows = (diagnosis: Diagnosis): Rows => {
  const { engine, states } = diagnosis;
  const newest = newestOf(diagnosis)?.height;
  const first = engine?.firstBlock;
  return [
    [
      'blocks',
      first === undefined || newest === undefined
        ? undefined
        : `${first} to ${newest}${first <= firstHeight ? ', from the first of the chain' : ''}`,
    ],
    ...states.map((one): Rows[number] => ['state', stateWords(one)]),
  ];
};

const stateWords = ({ way, newest, bracket, stopped }: StateFacts): string => {
  const over = `over ${wayTitles[way]}`;
  if (stopped === 'unclear' && bracket.held === bracket.newest) return `lower bound unknown, ${over}`;
  const about = isExact(bracket) ? '' : 'at most ';
  return `${about}${bracket.held} to ${newest}, ${newest - bracket.held + 1n} heights, ${over}`;
};

const adviceLines = (findings: readonly Finding[], paint: Paint): readonly string[] => {
  if (findings.length === 0) return [paint.heading('Advice'), '  None: everything checked is as expected.'];
  return [
    paint.heading('Advice'),
    ...findings.flatMap(({ says, advice }, index) =>
      wrapped(`${String(index + 1).padStart(3)}. `, `${says}. ${advice}`),
    ),
  ];
};
