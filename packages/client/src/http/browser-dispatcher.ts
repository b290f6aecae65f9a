// Stands in for dispatcher.js where a bundler builds for browsers (`browser` in package.json): their fetch takes no dispatcher.
import type { Lane } from './dispatcher.js';

export function takeLane(_origin: string, _signal: AbortSignal): Promise<Lane> {
  return Promise.resolve({ dispatching: () => ({}), free: () => undefined });
}

export function needsPatience(_origin: string, _error: unknown): boolean {
  return false;
}
