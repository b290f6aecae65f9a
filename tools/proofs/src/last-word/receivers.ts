import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { receiveMails } from '@hubwatch/demo';
import type { RandomSource } from '../random-source.js';
import { type Gate, openGate } from './gate.js';

/** A notification as accepted by a server. */
export interface Accepted {
  readonly recipient: string;
  readonly id: string;
  readonly text: string;
  /** The sending process did not get the response. */
  readonly isUnanswered: boolean;
  /** Index of the sending process, starting with 0: data from a killed process can be read after the next one has started. */
  readonly life: number;
}

/** The server's handling of one notification. */
type Fault = 'none' | 'dropped' | 'closed after accepting' | '4xx' | '429' | '5xx';

const faults = ['dropped', 'closed after accepting', '4xx', '429', '5xx'] as const satisfies readonly Fault[];

/** Destination of a channel's notifications. */
export interface Route {
  readonly channel: string;
  /** Addresses as configured in the daemon, with the proof's names for them. */
  readonly recipients: readonly { readonly address: string; readonly name: string }[];
}

/** Real servers of five recipients: two by mail, two webhooks and a chat. */
export interface Receivers {
  readonly recipients: readonly string[];
  readonly routes: readonly Route[];
  readonly accepted: readonly Accepted[];
  /** Number of faults that occurred, by name. */
  readonly faults: ReadonlyMap<string, number>;
  /** The daemon's configuration for these recipients. */
  readonly notifiers: object;
  readonly gates: readonly Gate[];
  /** Share of notifications that a fault affects. */
  faultShare: number;
  /** Index of the running process. */
  life: number;
  /** Called when a notification has arrived, before the response. */
  onArrival: () => void;
  close(): Promise<void>;
}

/** @param retryAfterS longest `Retry-After` of a rate-limiting server, in seconds */
export async function startReceivers(random: RandomSource, retryAfterS = 120): Promise<Receivers> {
  const kept: Accepted[] = [];
  const counts = new Map<string, number>();
  const next = (): Fault => {
    receivers.onArrival();
    const fault = random.chance(receivers.faultShare) ? random.pick(faults) : 'none';
    if (fault !== 'none') counts.set(fault, (counts.get(fault) ?? 0) + 1);
    return fault;
  };
  const take = (notice: Accepted): void => void kept.push(notice);
  const life = (): number => receivers.life;

  const mail = await receiveMails(({ to, raw, remotePort }) => {
    const fault = next();
    const recipient = to[0] ?? '';
    const id = /^Message-ID: <([^@>]+)/im.exec(raw)?.[1] ?? '';
    if (fault === 'none' || fault === 'closed after accepting') {
      const isUnanswered = fault !== 'none';
      take({ recipient, id, text: raw, isUnanswered, life: mailGate.lifeOf(remotePort) });
      if (isUnanswered) mailGate.cut();
      return;
    }
    if (fault === 'dropped') mailGate.cut();
    const responseCode = fault === '4xx' ? 554 : fault === '5xx' ? 451 : 450;
    throw Object.assign(new Error('refused by the proof'), { responseCode });
  });
  const mailGate = await openGate(mail.port, life);

  const web = createServer((request, response) => void answer(request, response));
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
  const webGates = await Promise.all([0, 1, 2].map(() => openGate((web.address() as AddressInfo).port, life)));
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    if (body === undefined) return;
    const recipient = request.url?.startsWith('/bot') === true ? 'chat' : (request.url?.slice(1) ?? '');
    const fault = next();
    if (fault === 'dropped') response.destroy();
    else if (fault === '429')
      response.writeHead(429, { 'Retry-After': String(random.below(retryAfterS)) }).end('slow down');
    else if (fault === '5xx') response.writeHead(503).end('not now');
    else if (fault === '4xx') response.writeHead(400).end('{"ok":false,"description":"bad"}');
    else {
      const { id, text } = noticeOf(recipient, body);
      const sentIn = Math.max(...webGates.map((gate) => gate.lifeOf(request.socket.remotePort)));
      take({ recipient, id, text, isUnanswered: fault !== 'none', life: sentIn });
      if (fault === 'none') response.writeHead(200).end('{"ok":true}');
      else response.destroy();
    }
  };

  const urlOf = (index: number): string => `http://127.0.0.1:${webGates[index]?.port}`;
  const receivers: Receivers = {
    recipients: routes.flatMap(({ recipients }) => recipients.map(({ name }) => name)),
    routes,
    accepted: kept,
    faults: counts,
    notifiers: {
      email: { host: '127.0.0.1', port: mailGate.port, tls: 'none', from: 'w@example.org', to: mailTo },
      telegram: { api: urlOf(0), token_env: 'LAST_WORD_TOKEN', chats: ['-1'] },
      webhooks: [1, 2].map((index) => ({ name: `hook-${index}`, url: `${urlOf(index)}/hook-${index}` })),
    },
    gates: [mailGate, ...webGates],
    faultShare: 0,
    life: 0,
    onArrival: () => undefined,
    async close() {
      await Promise.all(receivers.gates.map((gate) => gate.close()));
      web.closeAllConnections();
      web.close();
      await mail.close();
    },
  };
  return receivers;
}

const mailTo = ['a@example.org', 'b@example.org'];

const routes: readonly Route[] = [
  { channel: 'email', recipients: mailTo.map((address) => ({ address, name: address })) },
  { channel: 'telegram', recipients: [{ address: '-1', name: 'chat' }] },
  ...['hook-1', 'hook-2'].map((name) => ({ channel: `webhook ${name}`, recipients: [{ address: '', name }] })),
];

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer);
  } catch {
    return undefined;
  }
  return Buffer.concat(chunks).toString('utf8');
}

function noticeOf(recipient: string, body: string): { readonly id: string; readonly text: string } {
  const { id, title, text, members } = JSON.parse(body) as {
    readonly id?: string;
    readonly title?: string;
    readonly text: string;
    readonly members?: readonly { readonly title: string }[];
  };
  if (recipient === 'chat') return { id: /Notice: (\S+)/.exec(text)?.[1] ?? '', text };
  // The text of a notification about many alerts does not list them.
  return { id: id ?? '', text: [title, text, ...(members ?? []).map((member) => member.title)].join('\n') };
}
