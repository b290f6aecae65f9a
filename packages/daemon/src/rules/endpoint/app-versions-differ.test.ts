import { expect, test } from 'vitest';
import { verdictsOf } from '../../../test/rule-view.js';
import { fakeEndpoint } from '../../../test/fake-endpoint.js';
import { testParts } from '../../../test/parts.js';
import type { Check, Outcome, Target } from '../../checks/check.js';
import { agreement } from '../../checks/endpoint/agreement.js';
import { endpointVersion } from '../../checks/endpoint/endpoint-version.js';
import { createObservations } from '../../observations/observations.js';
import { pollJob } from '../../observations/poller.js';
import type { RuleView } from '../rule.js';
import { appVersionsDiffer } from './app-versions-differ.js';

/** Verdict for endpoints that run these versions; an endpoint with `undefined` does not respond. */
const judged = async (versions: Readonly<Record<string, string | undefined>>, ofOtherChain: readonly string[] = []) => {
  const fakes = Object.fromEntries(
    Object.entries(versions).map(([name, version]) => {
      const fake = fakeEndpoint();
      if (version !== undefined)
        fake.queries['stack.base.bft.v1beta1.Service/GetNodeInfo'] = { applicationVersion: { name: 'hub', version } };
      return [name, fake];
    }),
  );
  const parts = testParts(fakes);
  const observations = createObservations([endpointVersion], parts.config);
  await pollJob(endpointVersion, { ...parts, observations }, () => undefined).run(parts.signal);
  const endpoints = new Map(
    Object.keys(versions).map((name) => [name, ofOtherChain.includes(name) ? 'wrong_chain' : 'ok']),
  );
  const view = {
    config: parts.config,
    observations: {
      outcome: <T extends Target, R>(check: Check<T, R>, key: string) =>
        check.name === agreement.name
          ? ({ state: 'known', reading: { endpoints } } as unknown as Outcome<R>)
          : observations.outcome(check, key),
    },
  } as unknown as RuleView;
  return verdictsOf(appVersionsDiffer, view)[0];
};

test('app versions: endpoints with different versions are reported with the version of each', async () => {
  const verdict = await judged({ own: '12.0.2', ref: '12.0.1', third: '12.0.2' });
  expect(verdict).toMatchObject({ subject: 'hub-test', state: 'firing' });
  expect(verdict?.title).toBe('hub-test: endpoints run 2 different versions');
  expect(verdict?.text).toContain('- hub 12.0.2: own, third\n- hub 12.0.1: ref\n');
});

test.each([
  ['all run one', { own: '12.0.2', ref: '12.0.2' }, [], 'ok'],
  ['there is but one endpoint', { own: '12.0.2' }, [], 'ok'],
  ['one does not answer: it may be the odd one', { own: '12.0.2', ref: undefined }, [], 'unknown'],
  ['one does not answer and two differ', { own: '12.0.2', ref: undefined, third: '12.0.1' }, [], 'firing'],
  ['the odd one serves another chain', { own: '12.0.2', ref: '11.5.0' }, ['ref'], 'ok'],
  ['one is spelled with a v', { own: '12.0.2', ref: 'v12.0.2' }, [], 'ok'],
  ['nothing is known', { own: undefined, ref: undefined }, [], 'unknown'],
] as const)('app versions: %s', async (_case, versions, ofOtherChain, state) => {
  expect((await judged(versions, ofOtherChain))?.state).toBe(state);
});
