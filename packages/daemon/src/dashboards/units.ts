/** Units of Grafana that the panels use, by their names in its JSON. */
export const units = {
  /** A plain number. */
  none: 'none',
  /** Amounts and heights: all digits, grouped. */
  grouped: 'locale',
  /** 5.3 mins. */
  seconds: 's',
  /** Milliseconds since 1970, as "in 3 hours". */
  fromNow: 'dateTimeFromNow',
  /** Milliseconds since 1970, as date and time. */
  dateTime: 'dateTimeAsIso',
  bytes: 'bytes',
  /** Of 1. */
  percent: 'percentunit',
  perSecond: 'ops',
  requestsPerSecond: 'reqps',
  bytesPerSecond: 'Bps',
  blocks: 'suffix:blocks',
  intervals: 'suffix:intervals',
  blocksPerSecond: 'suffix:blocks/s',
} as const;

export type Unit = keyof typeof units;
