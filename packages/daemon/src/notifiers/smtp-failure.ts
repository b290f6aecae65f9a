import { DeliveryError, type DeliveryReason, type Scope } from '../outbox/delivery-error.js';
import { oneLine } from './plain-text.js';

/** Error from nodemailer: its own code, the server's reply, and the SMTP command. */
interface MailFailure extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
  readonly command?: string;
}

interface Reply {
  readonly status: number;
  /** Enhanced status code, for example `5.7.1`; empty if the server sends none. */
  readonly enhanced: string;
  readonly text: string;
}

type Judgement = readonly [reason: DeliveryReason, scope: Scope];

/**
 * Meaning of an SMTP failure for the notice. Refusals of login, sender, recipient and relay are configuration errors, here or
 * at the server, that an operator can fix. Only a refusal of the text itself ends the notice.
 */
export const smtpFailure = (error: unknown): DeliveryError => {
  const failure = error as MailFailure;
  const [reason, scope] = judge(failure);
  return new DeliveryError(oneLine(failure.message), { reason, scope, cause: error });
};

const judge = (failure: MailFailure): Judgement => {
  const reply = replyOf(failure);
  if (failure.code === 'ETLS') return ['tls', 'channel'];
  if (failure.code === 'EAUTH' || failure.code === 'ENOAUTH' || failure.command?.startsWith('AUTH') === true)
    return reply.status >= 400 && reply.status < 500 ? ['temporary', 'channel'] : ['auth', 'channel'];
  if (reply.status === 0) return withoutReply(failure);
  if (reply.status === 421) return ['temporary', 'channel'];
  if (reply.status === 530)
    return /starttls|encrypt|\btls\b/i.test(reply.text) ? ['tls', 'channel'] : ['auth', 'channel'];
  if (reply.status === 534 || reply.status === 535 || reply.status === 538) return ['auth', 'channel'];
  switch (failure.command) {
    case 'MAIL FROM':
      return ofSender(reply);
    case 'RCPT TO':
      return ofRecipient(reply);
    case 'DATA':
      return ofText(reply);
    default:
      return reply.status < 500 ? ['temporary', 'channel'] : ['unreachable', 'channel'];
  }
};

const replyOf = ({ responseCode = 0, response = '', message }: MailFailure): Reply => ({
  status: responseCode,
  enhanced: /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? '',
  text: response === '' ? message : response,
});

const byCode: Readonly<Record<string, Judgement>> = {
  ECONNECTION: ['unreachable', 'channel'],
  ESOCKET: ['unreachable', 'channel'],
  EDNS: ['unreachable', 'channel'],
  EPROTOCOL: ['unreachable', 'channel'],
  ETIMEDOUT: ['timeout', 'channel'],
  ECONFIG: ['config', 'channel'],
  ENOENT: ['config', 'channel'],
  EACCES: ['config', 'channel'],
  // The message exceeds the size limit that the server announced.
  EMESSAGE: ['too_large', 'notice'],
};

const withoutReply = ({ code = '', message, command }: MailFailure): Judgement => {
  if (code === 'ESOCKET' && /\b(tls|ssl|certificate)\b/i.test(message)) return ['tls', 'channel'];
  if (code === 'EENVELOPE') return command === 'RCPT TO' ? ['recipient', 'recipient'] : ['config', 'channel'];
  return byCode[code] ?? ['other', 'channel'];
};

const ofSender = (reply: Reply): Judgement => {
  if (isTooLarge(reply)) return ['too_large', 'notice'];
  return reply.status < 500 ? ['temporary', 'channel'] : ['sender', 'channel'];
};

const ofRecipient = (reply: Reply): Judgement => {
  if (reply.status < 500) return ['temporary', 'recipient'];
  return isRelay(reply) ? ['sender', 'recipient'] : ['recipient', 'recipient'];
};

const ofText = (reply: Reply): Judgement => {
  if (isTooLarge(reply)) return ['too_large', 'notice'];
  if (reply.status < 500) return ['temporary', 'notice'];
  // Replies to the text that concern its sender: an unsigned domain, or a sender that is not allowed.
  const isPolicy = reply.status === 550 && reply.enhanced.startsWith('5.7.') && reply.enhanced !== '5.7.0';
  if (isRelay(reply) || isPolicy || /\b(spf|dkim|dmarc|unauthenticated|not authori[sz]ed)\b/i.test(reply.text))
    return ['sender', 'recipient'];
  return ['content', 'notice'];
};

const isTooLarge = ({ status, enhanced }: Reply): boolean =>
  enhanced === '5.3.4' ||
  enhanced === '5.2.3' ||
  (status === 552 && !enhanced.startsWith('5.2.') && enhanced !== '5.7.0');

const isRelay = ({ text }: Reply): boolean => /relay/i.test(text);
