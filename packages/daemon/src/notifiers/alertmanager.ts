import { shownAddress } from '@hubwatch/client';
import type { AlertmanagerConfig } from '../config/notifier-schemas.js';
import { DeliveryError } from '../outbox/delivery-error.js';
import type { AlertsNow, Mirror } from '../outbox/mirror.js';
import { cut, iso } from '../words.js';
import { post, requireSuccess } from './http-post.js';
import { type NoticeOrigin, oneLine, plainLines } from './plain-text.js';
import { secretOf } from './secret-of.js';

/** Number of missed rounds after which the Alertmanager resolves an alert, as with Prometheus. */
const roundsUntilOver = 4;
const textLength = 4_000;

/** Sends alerts to every Alertmanager of a cluster over its v2 API; it deduplicates, groups and routes them. */
export const createAlertmanagerMirror = (
  config: AlertmanagerConfig,
  network: string | undefined,
  origin: NoticeOrigin,
): Mirror => {
  const urls = byShownAddress(config.urls);
  return {
    name: 'alertmanager',
    recipients: [...urls.keys()],
    everyMs: config.resend,
    async show({ firing, ended, nowMs }: AlertsNow, recipient) {
      const url = urls.get(recipient) ?? recipient;
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
