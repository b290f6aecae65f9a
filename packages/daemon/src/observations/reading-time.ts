import { gauge } from '../checks/family.js';

/** Interval from which a value may be so old that its age matters. */
export const slowMs = 60_000;

/** The page and the JSON API show the same times with the values. */
export const readingTime = gauge(
  'hubwatch_reading_timestamp_seconds',
  ['job', 'target'],
  'When the values of a job that runs once a minute or less often were read, for each of its targets',
  'slow',
);
