import type { Attempt, Delivery } from '../src/outbox/channel.js';

/** Creates an attempt as passed to a channel. */
export const attemptOf = (facts: Partial<Delivery> = {}, more: Partial<Attempt> = {}): Attempt => ({
  delivery: {
    id: 'second',
    threadId: 'first',
    kind: 'firing',
    rule: 'HubNodeInactive',
    severity: 'critical',
    title: 'five: inactive',
    text: '1 lease ended in block 901904:\n- lease 4: 38885udvpn refunded',
    atMs: 1_800_000_000_000,
    members: [{ subject: 'five', title: 'five: inactive', isFiring: true }],
    ...facts,
  },
  recipient: '',
  isShort: false,
  ...more,
});

/** Text that some services would interpret as markup, a link, a mention, a command or a new line. */
export const hostileText = [
  '<b>bold <i>never closed',
  '*_~`[x](http://evil.example/) ![](http://evil.example/)',
  '<!channel> <@U123> @everyone @here @operator /start',
  '``` ```js\nalert(1)',
  'http://evil.example/?a=1&b=2 tg://resolve?domain=evil',
  'back\\slash "quotes" \u202eright to left\u202c \u0000 \u0007 \ud800',
].join('\n');

/** Characters of `hostileText` that must never be delivered unchanged. */
export const unreadable = /[\p{Cf}\p{Cs}]|(?!\n)\p{Cc}/u;
