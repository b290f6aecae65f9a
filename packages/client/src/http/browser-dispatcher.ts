// Stands in for dispatcher.js where a bundler builds for browsers (`browser` in package.json): their fetch takes no dispatcher.
import type { Dispatching } from './dispatcher.js';

export function dispatchingOf(_origin: string): Dispatching {
  return {};
}

export function needsPatience(_origin: string, _error: unknown): boolean {
  return false;
}
