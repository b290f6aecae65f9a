import type { NoticeKind, NoticeMember } from '../alerts/alert.js';
import type { Severity } from '../checks/severity.js';

/** A notice in the form in which it is stored and sent. */
export interface Delivery {
  /** Stable id: the same in every attempt, across restarts, and for every recipient of the channel. */
  readonly id: string;
  /** `id` of the first notice of the same stream on this channel; equal to `id` for that one. */
  readonly threadId: string;
  readonly kind: NoticeKind;
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly text: string;
  /** Daemon's clock at the change, in milliseconds. */
  readonly atMs: number;
  /** All alerts in the notice, those with leases first; one for a notice about a single alert. */
  readonly members: readonly DeliveredMember[];
  /** Number of earlier notices of the same alerts that were not delivered in time and are no longer sent. */
  readonly replaces?: number;
}

export interface DeliveredMember extends NoticeMember {
  /** Whether it fires again: a later notice about it is waiting for the same recipient. */
  readonly isOvertaken?: boolean;
}

/** A delivery to one recipient. */
export interface Attempt {
  readonly delivery: Delivery;
  /** One of the channel's recipients. */
  readonly recipient: string;
  /** Whether to send a short and plain form, because the full text was refused. */
  readonly isShort: boolean;
}

/** A way to deliver notices. */
export interface Channel {
  readonly name: string;
  /**
   * Recipients of every notice, each independent of the others: a refused recipient delays no other, and a recipient that
   * accepted a notice gets it only once. A channel without recipients has a single one, the empty string.
   */
  readonly recipients: readonly string[];
  /** Resolves when the server has accepted the notice. @throws DeliveryError */
  send(attempt: Attempt): Promise<void>;
  close(): void;
}
