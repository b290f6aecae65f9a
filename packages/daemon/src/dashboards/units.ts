/** Grafana units in use, by the names in Grafana's JSON. */
export const units = {
  /** A plain number. */
  none: 'none',
  /** Amounts and heights: all digits, with thousands separators. */
  grouped: 'locale',
  /** Such as "5.3 mins". */
  seconds: 's',
  /** Milliseconds since 1970, shown relative to now ("in 3 hours"). */
  fromNow: 'dateTimeFromNow',
  /** Milliseconds since 1970, shown as date and time. */
  dateTime: 'dateTimeAsIso',
  bytes: 'bytes',
  /** Shares from 0 to 1. */
  percent: 'percentunit',
  perSecond: 'ops',
  requestsPerSecond: 'reqps',
  bytesPerSecond: 'Bps',
  blocks: 'suffix:blocks',
  intervals: 'suffix:intervals',
  blocksPerSecond: 'suffix:blocks/s',
} as const;

export type Unit = keyof typeof units;
