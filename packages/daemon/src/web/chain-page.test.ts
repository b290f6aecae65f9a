import { expect, test } from 'vitest';
import { page, time } from '../../test/fake-endpoint.js';
import { usualParams } from '../../test/hub-params.js';
import { startScene } from '../../test/scene.js';

const start = 1_800_000_000_000;
const minute = 60_000;

const upgradeMessage = {
  typeUrl: '/stack.upgrade.v1beta1.MsgSoftwareUpgrade',
  value: { authority: 'gov', plan: { name: 'v14', height: 9_000n } },
};
const parameterMessage = {
  typeUrl: '/hub.node.v3.MsgUpdateParamsRequest',
  value: { params: { ...usualParams.node, statusTimeout: { seconds: 1_800n, nanos: 0 } } },
};

const scene = async (title = 'Lower it') => {
  const world = await startScene(start, { poll: false });
  Object.assign(world.endpoint.queries, {
    'stack.upgrade.v1beta1.Query/CurrentPlan': { plan: { name: `v13 ${title}`, height: 1_300n } },
    'stack.gov.v1.Query/Proposals': ({ proposalStatus }: { proposalStatus: number }) =>
      page(
        'proposals',
        proposalStatus === 2
          ? [
              {
                id: 3n,
                status: 2,
                title,
                messages: [parameterMessage, upgradeMessage],
                votingStartTime: time(start),
                votingEndTime: time(start + 60 * minute),
              },
            ]
          : [],
      ),
    'hub.oracle.v1.QueryService/QueryAssets': page('assets', [
      { denom: title, spotPrice: '0.000000000000000000', spotPriceHeight: 0n },
    ]),
  });
  world.endpoint.rpc['header'] = ({ height }: { height: bigint }) => ({
    header: { time: time(start + Number(height - 1_000n) * 6_000) },
  });
  await world.block(1_000n, start);
  return world;
};

test('page: the chain card shows the upgrade with its time, open proposals with each change, and the parameters', async () => {
  const { get } = await scene();
  const { text } = await get('/');
  expect(text).toContain('<h2>Chain</h2>');
  expect(text).toContain(
    '<strong>v13 Lower it</strong> at height 1300, 300 blocks from now: about <strong>30 min</strong>',
  );
  expect(text).toContain('by the last 999 blocks');
  expect(text).toContain('<summary>3: Lower it <span class="warn">voting until');
  expect(text).toContain('node.status_timeout: 1 h → 30 min');
  expect(text).toContain('how long a heartbeat keeps a node active: 1 h, the longest term of a lease: 720 h (30 d)');
  expect(text).toContain('1 asset, none with a price yet: prices are charged as quoted');
});

test('page: an account of a watched node is shown with its balance without being configured', async () => {
  const { get } = await scene();
  const { text } = await get('/');
  expect(text).toContain('<h2>Watched accounts</h2>');
  expect(text).toContain('account of five');
  expect(text).toContain('1\u202f234\u202f567 udvpn');
});

test('page: JSON has the same data, with 64-bit numbers as strings', async () => {
  const { get } = await scene();
  const { governance, accounts } = JSON.parse((await get('/api/v1/status')).text) as Record<string, never>;
  expect(governance).toMatchObject({
    upgrade: { name: 'v13 Lower it', height: '1300', blocksLeft: '300', secondsLeft: 1_800, windowBlocks: '999' },
    proposals: [{ id: '3', stage: 'voting', title: 'Lower it' }],
    parameters: { 'node.status_timeout': { value: '1 h' }, 'lease.staking_share': { value: '20 %' } },
    prices: [{ priceHeight: '0' }],
  });
  expect(accounts).toMatchObject([{ title: 'account of five', balances: [{ denom: 'udvpn', amount: '1234567' }] }]);
});

test.each(['"><img src=x onerror=alert(1)>', 'right \u202eto', '<'.repeat(1_000_000), 'nul \u0000'])(
  'page: hostile text in a proposal, a plan and an oracle is inert and short: %#',
  async (hostile) => {
    const { get } = await scene(hostile);
    const { text } = await get('/');
    expect(text).not.toContain('<img');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u200f\u202a-\u202e]/u);
    expect(Buffer.byteLength(text)).toBeLessThan(60_000);
    const metrics = await get('/metrics');
    expect(metrics.text.length).toBeLessThan(200_000);
    expect((await get('/api/v1/status')).text.length).toBeLessThan(100_000);
  },
);

test('page: data that was not read is marked as not read, not shown as empty', async () => {
  const world = await scene();
  world.endpoint.queries['stack.gov.v1.Query/Proposals'] = undefined;
  world.endpoint.queries['stack.upgrade.v1beta1.Query/CurrentPlan'] = undefined;
  await world.block(1_001n, start + 6_000);
  const { text } = await world.get('/');
  expect(text.match(/<td class="wide"><span class="warn">not read<\/span><\/td>/g)).toHaveLength(2);
  expect(text).not.toContain('none planned');
});
