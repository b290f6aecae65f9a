import type { NoticeKind, NoticeMember } from '../alerts/alert.js';
import type { Severity } from '../checks/verdict.js';

/** A notice as it is kept and sent. */
export interface Delivery {
  /** Stable: the same notice has it in every attempt, before and after a restart, to every recipient of the channel. */
  readonly id: string;
  /** `id` of the first notice of the same stream on this channel; equal to `id` for that one. */
  readonly threadId: string;
  readonly kind: NoticeKind;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Clock of the daemon at the change, milliseconds. */
  readonly atMs: number;
  /** Every alert that it is about, those with leases first; one for a notice about a single alert. */
  readonly members: readonly DeliveredMember[];
  /** Earlier notices of the same alerts that were not delivered in time and are not sent any more. */
  readonly replaces?: number;
}

export interface DeliveredMember extends NoticeMember {
  /** It fires again: a later notice about it is on its way to the same recipient. */
  readonly isOvertaken?: boolean;
}

/** A delivery on its way to one recipient. */
export interface Attempt {
  readonly delivery: Delivery;
  /** One of the channel's recipients. */
  readonly recipient: string;
  /** The text as a whole was refused: a short and plain form is asked for. */
  readonly isShort: boolean;
}

/** A way to reach people. */
export interface Channel {
  readonly name: string;
  /**
   * Whom every notice goes to, each on its own: a recipient that is refused holds up nobody, and who has a notice gets it
   * no second time. A channel that knows no recipients names one, the empty text.
   */
  readonly recipients: readonly string[];
  /** Resolves when the other side has accepted the notice. @throws DeliveryError */
  send(attempt: Attempt): Promise<void>;
  close(): void;
}
