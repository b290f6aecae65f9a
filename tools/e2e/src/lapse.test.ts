import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { type MailServer, type ReceivedMail, startMailServer } from './mail-server.js';
import { type MonitoredChain, monitorChain } from './monitored-chain.js';

/** node5 of the golden chain: its last heartbeat, the block in which it lapses, the block in which it is active again. */
const [from, lapse, back] = [901_880, 901_904, 902_070];

describe('mail: the lapse of a node, replayed from a real chain to a real mail server', () => {
  let mailServer: MailServer;
  let chain: MonitoredChain;
  const received: { readonly height: number; readonly chainTime: string; readonly mail: ReceivedMail }[] = [];

  beforeAll(async () => {
    mailServer = await startMailServer();
    chain = await monitorChain({ chain: 'chain', from, watch: ['node5'], smtpPort: mailServer.port });
    for (let height = from; height <= back + 6; height++) {
      await chain.moveTo(height);
      await eventually('the outbox is empty', async () => {
        const samples = await chain.samples();
        return samples.get('hubwatch_notification_queue_entries{channel="email"}') === 0 ? true : undefined;
      });
      const { time } = chain.node.position();
      for (const mail of mailServer.mails.slice(received.length)) received.push({ height, chainTime: time, mail });
    }
  });

  afterAll(async () => {
    await chain.close();
    await mailServer.close();
  });

  /** Text without line breaks: mails wrap long lines. */
  const textOf = (entry: (typeof received)[number] | undefined): string => entry?.mail.text.replace(/\s+/g, ' ') ?? '';
  const about = (text: string) => received.filter(({ mail }) => mail.header('Subject')?.includes(text) === true);

  it('mail: the late notification arrives once, before the deadline, and names the lease at stake', () => {
    const late = about('heartbeat late');
    expect(late).toHaveLength(1);
    const deadline = /Deadline: (\S+) (\S+) UTC/.exec(textOf(late[0]));
    expect(late[0]?.height).toBeLessThan(lapse);
    expect(Date.parse(late[0]?.chainTime ?? '')).toBeLessThan(Date.parse(`${deadline?.[1]}T${deadline?.[2]}Z`));
    expect(textOf(late[0])).toMatch(/lease 4 of sentprov\S+ 7 777 udvpn an hour/);
  });

  it('mail: the lapse notification arrives once, and names the ended lease and its refund', () => {
    const lapsed = about('inactive since');
    expect(lapsed).toHaveLength(1);
    expect(lapsed[0]?.height).toBeGreaterThanOrEqual(lapse);
    expect(textOf(lapsed[0])).toMatch(/lease 4 of sentprov\S+ 38 885 udvpn refunded/);
  });

  it('mail: the recovery notification arrives once, with the return of the node', () => {
    const recovered = about('active again');
    expect(recovered).toHaveLength(1);
    expect(recovered[0]?.height).toBeGreaterThanOrEqual(back);
  });

  it("mail: after the node's return one notification names the lease ended by the lapse and reports that it is still lost", () => {
    const lost = about('that ended when it went inactive');
    expect(lost).toHaveLength(1);
    expect(lost[0]?.height).toBeGreaterThanOrEqual(back);
    expect(textOf(lost[0])).toMatch(/lease 4\b.*sentprov/);
  });

  it('mail: nothing else was sent, and every mail has a unique, stable Message-ID', () => {
    expect(received.map(({ mail }) => mail.header('Subject'))).toHaveLength(4);
    const ids = received.map(({ mail }) => mail.header('Message-ID'));
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(/^<[^<>@\s]+@[^<>@\s]+>$/);
  });
});
