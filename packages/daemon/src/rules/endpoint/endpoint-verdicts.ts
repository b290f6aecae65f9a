import { agreement, type AgreementReading, networkTarget } from '../../checks/endpoint/agreement.js';
import type { Verdict } from '../../checks/verdict.js';
import type { EndpointFacts, EndpointVerdict } from '../../endpoints/judgement.js';
import type { EndpointConfig } from '../../config/schema.js';
import { span } from '../../words.js';
import type { RuleView } from '../rule.js';

/** Comparison of the endpoints, if it was made. */
export const agreementOf = ({ observations }: RuleView): AgreementReading | undefined => {
  const outcome = observations.outcome(agreement, networkTarget.key);
  return outcome?.state === 'known' ? outcome.reading : undefined;
};

/** One endpoint and the result of its comparison with the others. */
export interface FoundEndpoint {
  readonly config: EndpointConfig;
  readonly verdict: EndpointVerdict;
  readonly facts: EndpointFacts;
  readonly reading: AgreementReading;
}

/**
 * Creates a verdict for each configured endpoint for which `concerns` returns true; `unknown` while the state of the endpoint
 * is not known.
 */
export const judgeEachEndpoint = (
  view: RuleView,
  concerns: (endpoint: EndpointConfig) => boolean,
  judge: (found: FoundEndpoint) => Omit<Verdict, 'subject'>,
): readonly Verdict[] => {
  const reading = agreementOf(view);
  return view.config.endpoints.filter(concerns).map((config): Verdict => {
    const subject = config.name;
    const verdict = reading?.endpoints.get(subject);
    const facts = reading?.facts.find(({ name }) => name === subject);
    if (reading === undefined || verdict === undefined || facts === undefined || verdict === 'down')
      return { subject, term: '', state: 'unknown', title: `${subject}: not compared with the others`, text: '' };
    return { subject, ...judge({ config, verdict, facts, reading }) };
  });
};

const standstill: ReadonlySet<EndpointVerdict> = new Set(['upgrade', 'frozen', 'stuck', 'halted']);

/** One line for each endpoint that was seen to stall or to receive new blocks. */
export const seenText = ({ endpoints, facts, plan }: AgreementReading): string => {
  const line = (one: EndpointFacts): string => {
    const verdict = endpoints.get(one.name) ?? 'down';
    const isRunning = verdict === 'ok' && one.stillMs !== undefined;
    const seen = standstill.has(verdict) ? 'stopped' : isRunning ? 'running' : 'not known';
    const where = isRunning ? `has block ${one.height}` : verdictText(one, verdict, plan);
    return `- ${one.name}: ${seen}: ${where}`;
  };
  return ['Endpoints as they were seen:', ...facts.map(line)].join('\n');
};

/** Describes the meaning of a verdict on an endpoint. */
export const verdictText = (
  { height, stateHeight, stillMs }: EndpointFacts,
  verdict: EndpointVerdict,
  plan?: { readonly name: string },
): string => {
  const at = height === undefined ? '' : ` at ${height}`;
  const still = stillMs === undefined ? '' : ` for ${span(stillMs)}`;
  const words: Readonly<Record<EndpointVerdict, string>> = {
    ok: 'shows the present of the chain',
    down: 'does not answer',
    wrong_chain: 'serves another chain',
    forked: `follows another history${at}`,
    disputed: `does not agree with the others${at}, and neither side is the greater`,
    upgrade: `stopped at its upgrade height${at}${plan === undefined ? '' : ` (${plan.name})`}: block ${height} is stored and not executed, it waits for the new program`,
    frozen: `its consensus hangs${at}${still} while it still answers: only a restart ends that`,
    stuck: `has no new block${at}${still} while others continue; its in-sync flag is wrong`,
    halted: `has no new block${at}, like the others`,
    syncing: `fetches old blocks${at}`,
    behind: `is behind the others${at}`,
    state_behind: `has block ${height} and answers from state ${stateHeight}`,
    unknown: `answers${at}; no new block was seen since this monitor started`,
  };
  return words[verdict];
};
