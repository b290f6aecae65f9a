import { HubError } from '@hubwatch/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fakeEndpoint } from '../../../test/fake-endpoint.js';
import { usualParams } from '../../../test/hub-params.js';
import { testParts } from '../../../test/parts.js';
import type { Sample } from '../family.js';
import { changeWords, parameterTexts, parameterWords } from './hub-parameters.js';
import { parameterNewsMs, parameters } from './parameters.js';
import { printDuration, valueWords } from './parameter-unit.js';

const services = {
  node: 'hub.node.v3',
  lease: 'hub.lease.v1',
  session: 'hub.session.v3',
  subscription: 'hub.subscription.v3',
  provider: 'hub.provider.v3',
  oracle: 'hub.oracle.v1',
  swap: 'hub.swap.v1',
} as const;

const chain = () => {
  const fake = fakeEndpoint();
  const set = (module: keyof typeof services, more: object = {}): void => {
    fake.queries[`${services[module]}.QueryService/QueryParams`] = { params: { ...usualParams[module], ...more } };
    fake.height += 1n;
  };
  for (const module of Object.keys(services)) set(module as keyof typeof services);
  const parts = testParts({ own: fake });
  const [target] = parameters.targets(parts.config);
  const [rule] = parameters.rules ?? [];
  if (target === undefined || rule === undefined) throw new Error('no target');
  const look = async () => {
    const reading = await parameters.collect(target, parts);
    return {
      reading,
      verdict: rule.judge(target, reading, parts.moment),
      samples: parameters.metrics(target, reading),
    };
  };
  return { fake, set, parts, look };
};

const written = (samples: readonly Sample[]): string[] =>
  samples.map(({ family, labels, value }) => `${family.name}{${labels.join(',')}} ${value}`);

test('parameters: every module is read at one height and exported in base units', async () => {
  const { fake, look } = chain();
  const heights: unknown[] = [];
  const answer = fake.queries['hub.swap.v1.QueryService/QueryParams'];
  fake.queries['hub.swap.v1.QueryService/QueryParams'] = (_request: unknown, height: unknown) => {
    heights.push(height);
    return answer;
  };
  const { samples, reading, verdict } = await look();
  expect(heights).toEqual([fake.height]);
  expect(reading.height).toBe(fake.height);
  expect(written(samples)).toEqual([
    'hub_node_status_timeout_seconds{} 3600',
    'hub_session_status_timeout_seconds{} 7200',
    'hub_session_term_limit_seconds{min} 3600',
    'hub_session_term_limit_seconds{max} 2592000',
    'hub_session_traffic_limit_bytes{min} 1000000000',
    'hub_session_traffic_limit_bytes{max} 1000000000000000',
    'hub_staking_share_ratio{session} 0.2',
    'hub_subscription_status_timeout_seconds{} 14400',
    'hub_subscription_allocation_limit{} 8',
    'hub_staking_share_ratio{subscription} 0.2',
    'hub_lease_term_limit_seconds{min} 3600',
    'hub_lease_term_limit_seconds{max} 2592000',
    'hub_staking_share_ratio{lease} 0.2',
    ...['node', 'session', 'subscription', 'lease', 'provider', 'oracle', 'swap'].map(
      (module) => `hub_parameter_changes_total{${module}} 0`,
    ),
  ]);
  expect(verdict.state).toBe('ok');
});

test('parameters: a module that is not served is absent; a module that does not respond fails the poll', async () => {
  const { fake, look } = chain();
  const method = 'hub.provider.v3.QueryService/QueryParams';
  fake.queries[method] = new HubError({ code: 'not_served', message: 'not over REST', transport: 'rest' });
  expect((await look()).reading.texts.has('provider')).toBe(false);
  fake.queries[method] = new HubError({ code: 'timeout', message: 'late', transport: 'grpc' });
  await expect(look()).rejects.toThrow('late');
});

test('parameters: a change is reported once, with the old and new value and what an operator has to do', async () => {
  const { set, look, parts } = chain();
  await look();
  set('node', { statusTimeout: { seconds: 1_800n, nanos: 0 } });
  set('lease', { maxHours: 240n });
  const { verdict, samples } = await look();
  expect(verdict).toMatchObject({
    state: 'firing',
    title: 'hub-test: parameters of the chain changed: lease.max_hours, node.status_timeout',
    subject: 'hub-test',
  });
  expect(verdict.text).toContain('- node.status_timeout: 1 h → 30 min (how long a heartbeat keeps a node active).');
  expect(verdict.text).toContain('Heartbeats must come twice as often.');
  expect(verdict.text).toContain('- lease.max_hours: 720 h (30 d) → 240 h (10 d) (the longest term of a lease).');
  expect(verdict.text).toContain('are not renewed, regardless of their policy');
  expect(written(samples)).toContain('hub_parameter_changes_total{node} 1');
  // The same change stays one alert while it is reported; there is no second notice.
  expect((await look()).verdict).toMatchObject({ state: 'firing', term: verdict.term });
  parts.clock.advance(parameterNewsMs);
  expect((await look()).verdict).toMatchObject({ state: 'ok', passedOn: true });
});

test('parameters: prices listed in another order are not a change', async () => {
  const { set, look } = chain();
  const two = ['a', 'b'].map((denom) => ({ denom, baseValue: '0.000000000000000000', quoteValue: '5' }));
  set('node', { minHourlyPrices: two });
  await look();
  set('node', { minHourlyPrices: two.toReversed() });
  expect((await look()).verdict.state).toBe('ok');
});

test('parameters: empty list of minimum prices: reported as no denomination allowed', () => {
  const before = parameterTexts('node', usualParams.node)['min_hourly_prices'] ?? '';
  const words = changeWords('node', 'min_hourly_prices', before, '');
  expect(words).toContain('node.min_hourly_prices: at least 1 udvpn → no denom is allowed');
  expect(words).toContain('every registration and every price update that names a price by the hour is refused');
});

test('parameters: a field of a later version is reported by its name and text', () => {
  expect(changeWords('node', 'later_field', 'x', 'y')).toBe('node.later_field: x → y.');
  expect(parameterWords('node', 'later_field', 'z'.repeat(10_000)).value.length).toBeLessThan(500);
});

test('parameter words: property: two different durations never have the same text', () => {
  const duration = fc.record({ seconds: fc.bigInt(1n, 400_000n), nanos: fc.constantFrom(0, 1, 500_000_000) });
  fc.assert(
    fc.property(duration, duration, (a, b) => {
      const [one, other] = [a, b].map((value) => printDuration(value));
      fc.pre(one !== other);
      expect(valueWords('duration', one ?? '')).not.toBe(valueWords('duration', other ?? ''));
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['share', '0.200000000000000000', '20 %'],
  ['share', '0.000000000000000000', '0 %'],
  ['share', '1.000000000000000000', '100 %'],
  ['share', '0.012500000000000000', '1.25 %'],
  ['duration', '5400s', '1 h 30 min'],
  ['duration', '90061s', '90061 s'],
  ['duration', '0.500s', '0.500 s'],
  ['hours', '24', '24 h'],
  ['coin', '10udvpn', '10 udvpn'],
  ['flag', 'true', 'on'],
  ['text', '', 'not set'],
] as const)('parameter words: %s %s is formatted as %s', (unit, text, words) => {
  expect(valueWords(unit, text)).toBe(words);
});
