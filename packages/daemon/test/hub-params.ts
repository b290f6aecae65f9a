/** Parameters as the v12 upgrade sets them, with one denomination allowed for hourly prices. */
export const usualParams = {
  node: {
    deposit: { denom: 'udvpn', amount: '0' },
    minGigabytePrices: [],
    minHourlyPrices: [{ denom: 'udvpn', baseValue: '0.000000000000000000', quoteValue: '1' }],
    statusTimeout: { seconds: 3_600n, nanos: 0 },
  },
  lease: { maxHours: 720n, minHours: 1n, stakingShare: '0.200000000000000000' },
  session: {
    maxGigabytes: 1_000_000n,
    minGigabytes: 1n,
    maxHours: 720n,
    minHours: 1n,
    proofVerificationEnabled: false,
    stakingShare: '0.200000000000000000',
    statusTimeout: { seconds: 7_200n, nanos: 0 },
  },
  subscription: {
    maxAllocations: 8n,
    stakingShare: '0.200000000000000000',
    statusTimeout: { seconds: 14_400n, nanos: 0 },
  },
  provider: { deposit: { denom: 'udvpn', amount: '0' } },
  oracle: { blockInterval: 100n, channelId: '', timeout: { seconds: 60n, nanos: 0 } },
  swap: { swapEnabled: false, swapDenom: 'udvpn', approveBy: '' },
} as const;
