import { z } from 'zod';
import { baseUrlText, oneOrMore } from '../config/scalars.js';
import { env, file, oneSecret } from '../config/secret-fields.js';
import type { Attempt, Channel } from '../outbox/channel.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import { type PostAnswer, post, redact, requireSuccess } from './http-post.js';
import { mark, type NoticeOrigin, noticeText } from './plain-text.js';
import type { Notifier } from './notifier.js';
import { secretOf } from './secret-of.js';

const notAChat = 'expected the number of a chat, such as -1001234567890, or the @name of a channel';

const chat = z
  .union([z.int(), z.string()], { error: notAChat })
  .transform(String)
  .refine((text) => /^(?:@\w{4,}|-?\d+)$/.test(text), { error: notAChat })
  .meta({ title: 'chat' });

const botToken = oneSecret('token', true);

const schema = z
  .strictObject({
    token_file: file('the token of the bot'),
    token_env: env('the token of the bot'),
    chats: oneOrMore(chat, 'a chat or a list of them').describe('Numbers of chats, or @names of channels.'),
    api: baseUrlText.prefault('https://api.telegram.org').describe('Server of the Bot API.'),
  })
  .refine(botToken.check, botToken.options)
  .describe('Messages of a Telegram bot. Needs one of `token_file` and `token_env`.');

export type TelegramConfig = z.output<typeof schema>;

/** Maximum number of characters in a message, below the 4096 of the Bot API. */
const textLength = 4_000;

/** Response of the Bot API. */
interface BotAnswer {
  readonly ok?: boolean;
  readonly description?: string;
  readonly parameters?: { readonly retry_after?: number; readonly migrate_to_chat_id?: number };
}

/** Sends notices by a Telegram bot, to each chat individually. */
export const createTelegramChannel = (config: TelegramConfig, origin: NoticeOrigin): Channel => {
  /** Groups that became supergroups while the daemon was running: old id → new id. */
  const moved = new Map<string, string>();

  const send = async (attempt: Attempt): Promise<void> => {
    const token = secretOf({ file: config.token_file, env: config.token_env }) ?? '';
    const chat = moved.get(attempt.recipient) ?? attempt.recipient;
    const answer = await post(`${config.api}/bot${token}/sendMessage`, JSON.stringify(message(attempt, chat, origin)), {
      'Content-Type': 'application/json',
    });
    const said = botAnswer(answer);
    if (answer.status === 200 && said.ok === true) return;
    const newChat = said.parameters?.migrate_to_chat_id;
    if (newChat !== undefined && String(newChat) !== chat) {
      moved.set(attempt.recipient, String(newChat));
      return send(attempt);
    }
    refuse(answer, said, token);
  };

  return { name: 'telegram', recipients: config.chats, send, close: () => undefined };
};

/**
 * The daemon's own text comes first. All text from others is in a `pre` entity, in which nothing is a link, a mention or a
 * command. The entity is defined by its position, so that no text can end it.
 */
const message = (attempt: Attempt, chat: string, origin: NoticeOrigin): object => {
  const { delivery, isShort } = attempt;
  const head = `[${mark(delivery)}] ${delivery.rule}\n`;
  const page = origin.statusPage === undefined ? '' : `\n${origin.statusPage}`;
  const room = textLength - head.length - page.length;
  const text = noticeText(attempt, { ...origin, statusPage: undefined }, room);
  return {
    chat_id: chat,
    text: `${head}${text}${page}`,
    ...(isShort ? {} : { entities: [{ type: 'pre', offset: head.length, length: text.length }] }),
    link_preview_options: { is_disabled: true },
    disable_notification: delivery.kind !== 'firing' || delivery.severity === 'info',
  };
};

const botAnswer = ({ text }: PostAnswer): BotAnswer => {
  try {
    return (JSON.parse(text) as BotAnswer | null) ?? {};
  } catch {
    return {};
  }
};

const refuse = (answer: PostAnswer, { description = '', parameters }: BotAnswer, token: string): never => {
  const { status } = answer;
  const why = `HTTP ${status}: ${redact(description === '' ? answer.text : description, [token])}`;
  const seconds = parameters?.retry_after;
  // The Bot API responds with 404 to an unknown token.
  if (status === 401 || status === 404) throw new DeliveryError(why, { reason: 'auth', scope: 'channel' });
  if (status === 403) throw new DeliveryError(why, { reason: 'recipient', scope: 'recipient' });
  if (status === 429) {
    const waitMs = seconds === undefined ? answer.waitMs : seconds * 1_000;
    throw new DeliveryError(why, { reason: 'rate_limited', scope: 'recipient', waitMs });
  }
  if (status === 400 && /too long/i.test(description))
    throw new DeliveryError(why, { reason: 'too_large', scope: 'notice' });
  if (status === 400 && /\b(chat|user|peer|group|topic|thread|rights|kicked|member)\b/i.test(description))
    throw new DeliveryError(why, { reason: 'recipient', scope: 'recipient' });
  requireSuccess({ ...answer, text: why });
  throw new DeliveryError(`not an answer of the Bot API: ${why}`, { reason: 'other', scope: 'channel' });
};

export const telegram = {
  schema: schema.optional(),
  channels: (config, origin) => (config === undefined ? [] : [createTelegramChannel(config, origin)]),
} satisfies Notifier<TelegramConfig | undefined>;
