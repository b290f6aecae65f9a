import type { Colours, StateText } from './panel.js';

/** Any at all needs attention now. */
export const noneOrRed: Colours = { base: 'green', thresholds: [{ from: 1, colour: 'red' }] };

/** Any at all is worth a look. */
export const noneOrOrange: Colours = { base: 'green', thresholds: [{ from: 1, colour: 'orange' }] };

/** Chain time that is left for a heartbeat: with the usual 5 minutes of slack, 4 minutes are the last notice. */
export const heartbeatLeft: Colours = {
  base: 'red',
  thresholds: [
    { from: 60, colour: 'orange' },
    { from: 240, colour: 'green' },
  ],
};

/** Time until something ends that takes a person hours to renew. */
export const hoursLeft: Colours = {
  base: 'red',
  thresholds: [
    { from: 3_600, colour: 'orange' },
    { from: 86_400, colour: 'green' },
  ],
};

/** Age of a block: some block intervals are usual, minutes are a halt. */
export const blockAge: Colours = {
  base: 'green',
  thresholds: [
    { from: 60, colour: 'orange' },
    { from: 180, colour: 'red' },
  ],
};

/** Age in units of the interval at which something is renewed. */
export const intervalsMissed: Colours = {
  base: 'green',
  thresholds: [
    { from: 3, colour: 'orange' },
    { from: 10, colour: 'red' },
  ],
};

/** Part of something that must last. */
export const partUsed: Colours = {
  base: 'green',
  thresholds: [
    { from: 0.8, colour: 'orange' },
    { from: 1, colour: 'red' },
  ],
};

/** Event loop and similar delays, in seconds. */
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

/** Members of the status of a node, provider, plan or subscription, in the order in which they are numbered. */
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
