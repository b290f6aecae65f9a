/** Scope of a failure: the whole channel, one recipient, or one notice. */
export type Scope = 'channel' | 'recipient' | 'notice';

/** Consequences of a reason. */
export interface ReasonFacts {
  /** Completes "the channel fails: …". */
  readonly means: string;
  /** Recommended action for the operator. */
  readonly advice: string;
  /**
   * Maximum pause between attempts in milliseconds. `undefined` if the text is the cause, so that another attempt is useless.
   */
  readonly longestPauseMs: number | undefined;
}

const seconds = 1_000;
const minutes = 60_000;

/**
 * Reasons why an attempt failed: the closed list of the `reason` label. Failures that may be temporary are retried often, so
 * that notices are sent within a minute of the channel's recovery. Failures that need an operator are retried rarely, so that
 * no account is locked.
 */
export const deliveryReasons = {
  unreachable: {
    means: 'nothing answers at its address, or the connection breaks',
    advice: 'Check host and port, and the way through the firewall.',
    longestPauseMs: 30 * seconds,
  },
  timeout: {
    means: 'it does not answer in time',
    advice: 'Check host and port, and the way through the firewall.',
    longestPauseMs: 30 * seconds,
  },
  temporary: {
    means: 'it refuses for now',
    advice: 'Wait; it is tried again.',
    longestPauseMs: 5 * minutes,
  },
  rate_limited: {
    means: 'it limits the rate of messages',
    advice: 'Wait; it is tried again.',
    longestPauseMs: 5 * minutes,
  },
  tls: {
    means: 'no encrypted connection can be established',
    advice: 'Check the tls setting and the certificate.',
    longestPauseMs: 5 * minutes,
  },
  auth: {
    means: 'it refuses the login',
    advice: 'Check the user and the password, token or key.',
    longestPauseMs: 15 * minutes,
  },
  sender: {
    means: 'it refuses the sender, or does not relay for it',
    advice: 'Check the from address, and what the server allows it.',
    longestPauseMs: 15 * minutes,
  },
  recipient: {
    means: 'it refuses the recipient',
    advice: 'Check the address, chat or path of the recipient.',
    longestPauseMs: 15 * minutes,
  },
  config: {
    means: 'its configuration cannot be used',
    advice: 'The log states what is missing.',
    longestPauseMs: 5 * minutes,
  },
  other: {
    means: 'it fails for an unknown reason',
    advice: 'The log has its error text.',
    longestPauseMs: 5 * minutes,
  },
  too_large: {
    means: 'it refuses the size of the text',
    advice: 'A short form is sent once.',
    longestPauseMs: undefined,
  },
  content: {
    means: 'it refuses the text',
    advice: 'A short form is sent once.',
    longestPauseMs: undefined,
  },
} as const satisfies Readonly<Record<string, ReasonFacts>>;

export type DeliveryReason = keyof typeof deliveryReasons;

/** A failed attempt and its consequences. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError';
  readonly reason: DeliveryReason;
  readonly scope: Scope;
  /** Pause requested by the server, in milliseconds. */
  readonly waitMs: number | undefined;

  constructor(
    message: string,
    facts: {
      readonly reason: DeliveryReason;
      readonly scope: Scope;
      readonly waitMs?: number | undefined;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.reason = facts.reason;
    this.scope = facts.scope;
    this.waitMs = facts.waitMs;
  }
}
