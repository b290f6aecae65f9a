import type { Colours, StateText } from './panel.js';

/** Any occurrence needs attention now. */
export const noneOrRed: Colours = { base: 'green', thresholds: [{ from: 1, colour: 'red' }] };

/** Any occurrence should be checked. */
export const noneOrOrange: Colours = { base: 'green', thresholds: [{ from: 1, colour: 'orange' }] };

/** Remaining chain time for a heartbeat. With the usual slack of 5 minutes, the last notice is sent at 4 minutes. */
export const heartbeatLeft: Colours = {
  base: 'red',
  thresholds: [
    { from: 60, colour: 'orange' },
    { from: 240, colour: 'green' },
  ],
};

/** Time until the end of something that takes hours of manual work to renew. */
export const hoursLeft: Colours = {
  base: 'red',
  thresholds: [
    { from: 3_600, colour: 'orange' },
    { from: 86_400, colour: 'green' },
  ],
};

/** Age of a block: a few block intervals are normal, minutes mean a halt. */
export const blockAge: Colours = {
  base: 'green',
  thresholds: [
    { from: 60, colour: 'orange' },
    { from: 180, colour: 'red' },
  ],
};

/** Age as a multiple of the renewal interval. */
export const intervalsMissed: Colours = {
  base: 'green',
  thresholds: [
    { from: 3, colour: 'orange' },
    { from: 10, colour: 'red' },
  ],
};

/** Used share of a limited resource. */
export const partUsed: Colours = {
  base: 'green',
  thresholds: [
    { from: 0.8, colour: 'orange' },
    { from: 1, colour: 'red' },
  ],
};

/** Event loop lag and similar delays, in seconds. */
export const delay: Colours = {
  base: 'green',
  thresholds: [
    { from: 0.1, colour: 'orange' },
    { from: 1, colour: 'red' },
  ],
};

export const yesIsGood: readonly StateText[] = [
  { value: 1, text: 'yes', colour: 'green' },
  { value: 0, text: 'no', colour: 'red' },
];

export const yesIsBad: readonly StateText[] = [
  { value: 1, text: 'yes', colour: 'red' },
  { value: 0, text: 'no', colour: 'green' },
];

export const yesOrNo: readonly StateText[] = [
  { value: 1, text: 'yes', colour: 'blue' },
  { value: 0, text: 'no', colour: 'text' },
];

/** States of a node, provider, plan or subscription, in the order of their numbers. */
export const statuses = ['active', 'inactive_pending', 'inactive'] as const;

export const statusTexts: readonly StateText[] = [
  { value: 1, text: 'active', colour: 'green' },
  { value: 2, text: 'inactive pending', colour: 'orange' },
  { value: 3, text: 'inactive', colour: 'red' },
];

export const chainStateTexts: readonly StateText[] = [
  { value: 1, text: 'moving', colour: 'green' },
  { value: 2, text: 'halted', colour: 'red' },
  { value: 3, text: 'waits for an upgrade', colour: 'orange' },
  { value: 4, text: 'unknown', colour: 'yellow' },
];
