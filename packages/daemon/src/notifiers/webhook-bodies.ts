import type { Attempt, Delivery } from '../outbox/channel.js';
import { cut, iso } from '../words.js';
import { mark, type NoticeOrigin, noticeText, oneLine, plainLines, shortLength } from './plain-text.js';

/** Body formats of a webhook. */
export const webhookFormats = ['json', 'slack', 'discord', 'ntfy'] as const;

type WebhookFormat = (typeof webhookFormats)[number];

export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
}

type Body = (attempt: Attempt, target: NoticeOrigin & { readonly url: string }) => WebhookRequest;

const headOf = (delivery: Delivery): string => `[${mark(delivery)}] ${delivery.rule}`;

/** Own format; fields are added, never renamed. */
const json: Body = ({ delivery, isShort }, { url, statusPage, monitor }) => {
  const { id, threadId, kind, rule, severity, title, text, atMs, members, replaces } = delivery;
  const plain = plainLines(text).join('\n');
  const body = {
    version: 1,
    id,
    threadId,
    kind,
    rule,
    severity,
    title: oneLine(title),
    text: isShort ? cut(plain, shortLength) : plain,
    members: members.map((member) => ({ ...member, title: oneLine(member.title) })),
    replaces,
    at: iso(atMs),
    monitor,
    statusPage,
  };
  return { url, body: JSON.stringify(body) };
};

/** Uses `plain_text` blocks, in which Slack interprets no markup; the fallback text is escaped by Slack's rules. */
const slack: Body = (attempt, { url, ...origin }) => {
  const { delivery } = attempt;
  const fallback = `${headOf(delivery)}: ${oneLine(delivery.title)}`;
  const body = {
    text: fallback.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: cut(headOf(delivery), 150), emoji: false } },
      { type: 'section', text: { type: 'plain_text', text: noticeText(attempt, origin, 3_000), emoji: false } },
    ],
    unfurl_links: false,
    unfurl_media: false,
  };
  return { url, body: JSON.stringify(body) };
};

const colours = { critical: 0xb3261e, warning: 0xf0b64a, info: 0x5b6470 } as const;

/** Text from others is in a code block, which a backtick would end; mentions are disabled regardless of the text. */
const discord: Body = (attempt, { url, ...origin }) => {
  const { delivery } = attempt;
  const text = noticeText(attempt, origin, 3_900).replaceAll('`', "'");
  const body = {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(headOf(delivery), 256),
        description: `\`\`\`\n${text}\n\`\`\``,
        color: delivery.kind !== 'firing' ? 0x0a7a3b : colours[delivery.severity],
        timestamp: iso(delivery.atMs),
      },
    ],
  };
  return { url, body: JSON.stringify(body) };
};

const priorities = { critical: 5, warning: 4, info: 2 } as const;
/** Maximum message size in bytes; ntfy converts longer messages to a file. */
const ntfyBytes = 4_000;

/**
 * Published as JSON, which requires a request to the server's root with the topic in the body. The text is not interpreted as
 * Markdown.
 */
const ntfy: Body = (attempt, { url, ...origin }) => {
  const { delivery } = attempt;
  const at = new URL(url);
  const path = at.pathname.replace(/\/+$/, '');
  const topic = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  at.pathname = path.slice(0, path.lastIndexOf('/') + 1);
  const body = {
    topic,
    title: `${headOf(delivery)}: ${cut(oneLine(delivery.title), 150)}`,
    message: textOfBytes(attempt, origin, ntfyBytes),
    priority: delivery.kind !== 'firing' ? 3 : priorities[delivery.severity],
    click: origin.statusPage,
  };
  return { url: at.toString(), body: JSON.stringify(body) };
};

/** The longest text that fits, with characters of up to four bytes. */
const textOfBytes = (attempt: Attempt, origin: NoticeOrigin, limit: number): string => {
  let characters = limit;
  let text = noticeText(attempt, origin, characters);
  while (Buffer.byteLength(text) > limit) {
    characters = Math.floor(characters * 0.9);
    text = noticeText(attempt, origin, characters);
  }
  return text;
};

export const webhookBodies: Readonly<Record<WebhookFormat, Body>> = { json, slack, discord, ntfy };
