import type { z } from 'zod';
import type { Channel } from '../outbox/channel.js';
import type { Mirror } from '../outbox/mirror.js';
import type { NoticeOrigin } from './plain-text.js';

/**
 * One notifier per file, with one line in `list.ts`. The export's name is its key under `notifiers`. The schema describes the
 * value of this key and is the source of docs/config.md.
 */
export interface Notifier<C = never> {
  readonly schema: z.ZodType;
  /** Channels that send notices, once each. */
  channels?(config: C, origin: NoticeOrigin): readonly Channel[];
  /** Receivers that get the full set of firing alerts at every interval. */
  mirrors?(config: C, origin: NoticeOrigin): readonly Mirror[];
}
