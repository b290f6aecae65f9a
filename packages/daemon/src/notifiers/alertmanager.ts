import { shownAddress } from '@hubwatch/client';
import { z } from 'zod';
import { baseUrlText, duration, oneOrMore, word } from '../config/scalars.js';
import { bearer, env, file, needsUser, password } from '../config/secret-fields.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import type { AlertsNow, Mirror } from '../outbox/mirror.js';
import { cut, iso } from '../words.js';
import { post, requireSuccess } from './http-post.js';
import { type NoticeOrigin, oneLine, plainLines } from './plain-text.js';
import type { Notifier } from './notifier.js';
import { secretOf } from './secret-of.js';

const schema = z
  .strictObject({
    urls: oneOrMore(baseUrlText, 'the http:// or https:// URL of an Alertmanager, or a list of them').describe(
      'URLs of all Alertmanagers of the cluster. Alerts are posted to each.',
    ),
    only_route: z
      .boolean()
      .default(true)
      .describe('Whether the Alertmanager is the only route. `false`: the other notifiers send notices too.'),
    resend: duration({ min: '10s', max: '10m' }).prefault('1m').describe('How often firing alerts are sent again.'),
    labels: z
      .record(
        z
          .string()
          .regex(/^[a-zA-Z_][a-zA-Z0-9_]*$/, { error: 'expected a label name: letters, digits and underscores' })
          .meta({ title: 'label name' }),
        word('a label value', 200).describe('Value of the label.'),
      )
      .default({})
      .describe('Labels that are added to every alert.'),
    user: word('a user name').optional().describe('User of `Authorization: Basic`. Needs a password.'),
    password_file: file('the password of `user`'),
    password_env: env('the password of `user`'),
    token_file: file('a token that is sent as `Authorization: Bearer`'),
    token_env: env('a token that is sent as `Authorization: Bearer`'),
  })
  .refine(password.check, password.options)
  .refine(needsUser.check, needsUser.options)
  .refine(bearer.check, bearer.options)
  .describe('Alerts over the v2 API of Alertmanager.');

export type AlertmanagerConfig = z.output<typeof schema>;

/** Number of missed rounds after which the Alertmanager resolves an alert, as with Prometheus. */
const roundsUntilOver = 4;
const textLength = 4_000;

/** Sends alerts to every Alertmanager of a cluster over its v2 API; it deduplicates, groups and routes them. */
export const createAlertmanagerMirror = (config: AlertmanagerConfig, origin: NoticeOrigin): Mirror => {
  const urls = byShownAddress(config.urls);
  return {
    name: 'alertmanager',
    recipients: [...urls.keys()],
    everyMs: config.resend,
    async show({ firing, ended, nowMs }: AlertsNow, recipient) {
      const url = urls.get(recipient) ?? recipient;
      const { network } = origin;
      const labels = { ...(network === undefined ? {} : { network }), ...config.labels };
      const over = nowMs + roundsUntilOver * config.resend;
      const alerts = [
        ...firing.map((alert) => shown(alert, over, labels, origin)),
        ...ended.map((alert) => shown(alert, Math.min(nowMs, alert.endedClockMs ?? nowMs), labels, origin)),
      ];
      const { authorization, secrets } = credentials(config);
      const answer = await post(`${url}/api/v2/alerts`, JSON.stringify(alerts), {
        'Content-Type': 'application/json',
        ...authorization,
      });
      try {
        requireSuccess(answer, [...secrets, ...pathOf(url)]);
      } catch (error) {
        // Nothing is given up here: alerts that are not accepted now are sent again.
        const { message, reason, waitMs } = error as DeliveryError;
        throw new DeliveryError(message, { reason, scope: 'recipient', waitMs });
      }
    },
  };
};

/** URLs by the form shown in messages; URLs with the same host are numbered. */
const byShownAddress = (urls: readonly string[]): ReadonlyMap<string, string> => {
  const named = new Map<string, string>();
  for (const url of urls) {
    const shown = shownAddress(url);
    const same = [...named.keys()].filter((name) => name === shown || name.startsWith(`${shown} (`)).length;
    named.set(same === 0 ? shown : `${shown} (${same + 1})`, url);
  }
  return named;
};

/** The path of a URL, which may contain a key. */
const pathOf = (url: string): readonly string[] => {
  const { pathname } = new URL(url);
  return pathname === '/' ? [] : [pathname];
};

/** Labels identify the alert and never change during its lifetime; the texts are annotations. */
const shown = (
  { rule, subject, severity, title, text, firedClockMs }: AlertsNow['firing'][number],
  endsMs: number,
  labels: Readonly<Record<string, string>>,
  { monitor, statusPage }: NoticeOrigin,
): object => ({
  labels: { ...labels, alertname: rule, severity, subject: oneLine(subject) },
  annotations: {
    summary: oneLine(title),
    description: cut(plainLines(text).join('\n'), textLength),
    monitor,
  },
  // An end before the start would make the Alertmanager refuse the whole request.
  startsAt: iso(Math.min(firedClockMs ?? endsMs, endsMs)),
  endsAt: iso(endsMs),
  ...(statusPage === undefined ? {} : { generatorURL: statusPage }),
});

const credentials = (config: AlertmanagerConfig) => {
  const token = secretOf({ file: config.token_file, env: config.token_env });
  const password = secretOf({ file: config.password_file, env: config.password_env });
  if (token !== undefined) return { authorization: { Authorization: `Bearer ${token}` }, secrets: [token] };
  if (config.user === undefined || password === undefined) return { authorization: {}, secrets: [] };
  const pair = Buffer.from(`${config.user}:${password}`).toString('base64');
  return { authorization: { Authorization: `Basic ${pair}` }, secrets: [password, pair] };
};

export const alertmanager = {
  schema: schema.optional(),
  mirrors: (config, origin) => (config === undefined ? [] : [createAlertmanagerMirror(config, origin)]),
} satisfies Notifier<AlertmanagerConfig | undefined>;
