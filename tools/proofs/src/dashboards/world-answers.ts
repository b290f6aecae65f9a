import { on, type QueryHandler } from '@hubwatch/devnode';
import type { Timestamp } from '@hubwatch/types/gen/forms/google/protobuf/timestamp';
import type { Asset } from '@hubwatch/types/gen/forms/hub/oracle/v1/asset';
import type { Grant } from '@hubwatch/types/gen/forms/stack/feegrant/v1beta1/feegrant';
import { type Proposal, ProposalStatus } from '@hubwatch/types/gen/forms/stack/gov/v1/gov';
import { queryAssets } from '@hubwatch/types/gen/methods/hub/oracle/v1/query-service';
import { allowances } from '@hubwatch/types/gen/methods/stack/feegrant/v1beta1/query';
import { proposals } from '@hubwatch/types/gen/methods/stack/gov/v1/query';
import type { Dec } from '@hubwatch/types/runtime/values';

const noMore = { nextKey: new Uint8Array(), total: 0n };

/** Fixed at load time, so that every query gets the same response. */
const startSeconds = Math.floor(Date.now() / 1_000);
const inDays = (days: number): Timestamp => ({ seconds: BigInt(startSeconds + days * 86_400), nanos: 0 });

const grantFor = (grantee: string): Grant => ({
  ...{ granter: grantee, grantee },
  allowance: {
    typeUrl: '/stack.feegrant.v1beta1.BasicAllowance',
    value: { spendLimit: [{ denom: 'udvpn', amount: '5000000' }], expiration: inDays(20) },
  },
});

const vote = (): Proposal => ({
  ...{ id: 7n, status: ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD, metadata: '', summary: '' },
  ...{ title: 'Stay on this version', proposer: '', totalDeposit: [], finalTallyResult: undefined },
  messages: [{ typeUrl: '/stack.upgrade.v1beta1.MsgCancelUpgrade', value: { authority: '' } }],
  ...{ submitTime: inDays(-3), depositEndTime: inDays(-2), votingStartTime: inDays(-2), votingEndTime: inDays(3) },
});

const asset: Asset = {
  ...{ denom: 'udvpn', decimals: 6n, spotPrice: '0.0005' as Dec, spotPriceHeight: 12_345n },
  protoRevPoolRequest: { baseDenom: 'udvpn', otherDenom: 'uusd' },
  spotPriceRequest: { poolId: 1n, baseAssetDenom: 'udvpn', quoteAssetDenom: 'uusd' },
};

/** Responses for facts that the recorded day lacks: an oracle price, a fee grant for every account and a vote. */
export const worldAnswers: readonly QueryHandler[] = [
  on(queryAssets, () => ({ assets: [asset], pagination: noMore })),
  on(allowances, ({ grantee }) => ({ allowances: [grantFor(grantee)], pagination: noMore })),
  on(proposals, ({ proposalStatus }) => ({
    proposals: proposalStatus === ProposalStatus.PROPOSAL_STATUS_VOTING_PERIOD ? [vote()] : [],
    pagination: noMore,
  })),
];
