import type { Naming, NamingSource } from '@hubwatch/types/runtime/naming';
import { type AnswerBudget, sharedBudget } from './answer-budget.js';
import type { CallOptions } from './transport.js';

/** Options shared by all transports. */
export interface TransportOptions {
  /** gRPC: `host:port` or `https://host:port`. REST and consensus RPC: base URL, `http://127.0.0.1:1317`. */
  readonly address: string;
  /** Names that the node uses, or a function that detects them when the first call is made. */
  readonly naming: Naming | NamingSource;
  /** Milliseconds until a call fails with `timeout`, unless the call sets its own value. Default 10 000. */
  readonly timeoutMs?: number | undefined;
  /** Largest response accepted, in bytes; a larger one fails with `limit`. Default 32 MiB. */
  readonly maxBytes?: number | undefined;
  /** Memory that responses share while they are received. Default: one budget of 64 MiB for the whole process. */
  readonly budget?: AnswerBudget | undefined;
  /** Additional headers (gRPC: metadata) of every request, for example an API key of a provider. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export const defaultTimeoutMs = 10_000;
export const defaultMaxBytes = 32 * 1024 * 1024;

/** Limits of one call: its duration, the size of its response, and a signal that aborts it. */
export interface CallLimits {
  readonly timeoutMs: number;
  /** Deadline on the clock of `performance.now()`. Detecting the naming and the request share this time. */
  readonly endsAt: number;
  readonly maxBytes: number;
  readonly budget: AnswerBudget;
  readonly signal: AbortSignal | undefined;
}

/** Headers of one call: those of the transport and its own, which replace others of the same name in any case. */
export function headersOf(
  options: Pick<TransportOptions, 'headers'>,
  call: Pick<CallOptions, 'headers'>,
): Readonly<Record<string, string>> {
  const own = new Set(Object.keys(call.headers ?? {}).map((name) => name.toLowerCase()));
  const others = Object.entries(options.headers ?? {}).filter(([name]) => !own.has(name.toLowerCase()));
  return { ...Object.fromEntries(others), ...call.headers };
}

/** Limits of one call that starts now: its own, else those of the transport, else the defaults. */
export function limitsOf(
  options: Pick<TransportOptions, 'timeoutMs' | 'maxBytes' | 'budget'>,
  call: Pick<CallOptions, 'timeoutMs' | 'maxBytes' | 'signal'>,
): CallLimits {
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? defaultTimeoutMs;
  return {
    timeoutMs,
    endsAt: performance.now() + timeoutMs,
    maxBytes: call.maxBytes ?? options.maxBytes ?? defaultMaxBytes,
    budget: options.budget ?? sharedBudget,
    signal: call.signal,
  };
}
