import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';
import { HubError } from '@hubwatch/client';
import { type Address, readAddress, writeAddress } from '@hubwatch/client/address';
import { cronFault } from './cron.js';
import { cut } from '../words.js';
import { kindOf, quoted, quotedAddress } from './quoted.js';

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Condition under which rules over several keys run: also if one of the keys is invalid, so that all problems are
 * reported at once.
 */
export const isBlock = ({ value }: { readonly value: unknown }): boolean => typeof value === 'object' && value !== null;

/** `10s`, `500ms`, `5m`, `1h`, `2d` → milliseconds. */
export const duration = (limits: { readonly min: string; readonly max: string }) =>
  z
    .union([z.string(), z.number()], { error: 'expected a duration such as 10s, 5m or 1h' })
    .meta({ title: 'duration', $comment: `${limits.min} to ${limits.max}`, pattern: durationPattern.source })
    .transform((written, context) => {
      const ms = parseDuration(String(written));
      if (ms === undefined) {
        context.addIssue(
          `expected a duration: a whole number and one of ms, s, m, h, d, such as 10s (got ${quoted(written)})`,
        );
        return z.NEVER;
      }
      if (ms < (parseDuration(limits.min) ?? 0) || ms > (parseDuration(limits.max) ?? 0)) {
        context.addIssue(`must be ${limits.min} to ${limits.max} (got ${quoted(written)})`);
        return z.NEVER;
      }
      return ms;
    });

const durationPattern = /^(\d{1,9})(ms|s|m|h|d)$/;

const parseDuration = (text: string): number | undefined => {
  const match = durationPattern.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0);
};

/** A non-empty text; `what` completes "expected …". */
export const word = (what: string, most = 1_000) =>
  z
    .string({ error: ({ input }) => (input === undefined ? undefined : `expected ${what} (got ${kindOf(input)})`) })
    .refine((text) => text !== '', { error: `is empty; expected ${what}` })
    .refine((text) => text.length <= most, { error: `expected ${what}, of at most ${most} characters` })
    .meta({ minLength: 1, maxLength: most });

/** One value, or a non-empty list without repetition; the output is always a list. */
export const oneOrMore = <T extends z.ZodType>(item: T, what: string) =>
  z.preprocess(
    (written) => (Array.isArray(written) || written === undefined ? written : [written]),
    z
      .array(item, { error: (issue) => (issue.input === undefined ? undefined : `expected ${what}`) })
      .min(1, { error: `is empty; expected ${what}` })
      .transform((all) => [...new Set(all)]),
  );

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const parseHostPort = (text: string): HostPort | undefined => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/@?#]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  const host = match?.[1] ?? match?.[2];
  return host === undefined || port > 65_535 ? undefined : { host, port };
};

/** `host:port`, IPv6 in brackets. */
export const hostPort = z
  .string({ error: 'expected host:port, such as 127.0.0.1:9190' })
  .meta({ title: 'host:port', examples: ['127.0.0.1:9190', '[::1]:9190'] })
  .transform((text, context): HostPort => {
    const parsed = parseHostPort(text);
    if (parsed !== undefined) return parsed;
    context.addIssue(
      `expected host:port, such as 127.0.0.1:9090 or [::1]:9090, without a scheme or path (got ${quotedAddress(text)})`,
    );
    return z.NEVER;
  });

/** Host name without a scheme, port or path. */
export const hostName = z
  .string({ error: 'expected a host name, such as monitor.example.org' })
  .regex(/^(?=.{1,253}$)[\p{L}\p{N}_](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}_.])?$/u, {
    error: (issue) =>
      `expected a host name, such as monitor.example.org, without a scheme, port or path (got ${quoted(issue.input)})`,
  })
  .meta({ title: 'host name', examples: ['monitor.example.org'] });

/** Address of a gRPC server: `host:port`, or `https://host:port` for TLS. */
export const grpcAddress = z
  .string({ error: 'expected host:port, such as 127.0.0.1:9090, or https://host:port' })
  .refine((text) => parseHostPort(text.replace(/^https:\/\//, '')) !== undefined, {
    error: (issue) =>
      `expected host:port, such as 127.0.0.1:9090, or https://host:port, without a user or path (got ${quotedAddress(issue.input)})`,
  })
  .meta({ title: 'host:port or https://host:port', examples: ['127.0.0.1:9090', 'https://grpc.example.org:443'] });

const exampleUrl = 'expected an http:// or https:// URL, such as http://127.0.0.1:1317';

/** `http://…` or `https://…`, without a trailing slash. The message for a rejected URL contains no part of it. */
export const httpUrl = z
  .string({ error: exampleUrl })
  .meta({ title: 'URL', format: 'uri' })
  .transform((text, context) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      context.addIssue(`${exampleUrl} (got ${quotedAddress(text)})`);
      return z.NEVER;
    }
    if (url.username !== '' || url.password !== '') {
      context.addIssue('a URL with a user or password is not allowed; use the keys for credentials next to it');
      return z.NEVER;
    }
    return text.replace(/\/+$/, '');
  });

/** Base URL of requests: a query or a fragment is rejected because it would never be sent. */
export const baseUrlText = httpUrl.refine((text) => !/[?#]/.test(text), {
  error:
    'a URL with a query or fragment is not allowed here, because it would not be sent; a key goes to a file of headers',
});

/** The fault of an address, without the address. */
const faultIn = (message: string): string => message.replace(/^address "(?:[^"\\]|\\.)*": /s, '');

/**
 * Address of one kind; the account address of the same key is accepted too. An account accepts no other kind: a node
 * address there most likely belongs in a different list.
 */
export const hubAddress = (prefix: 'sent' | 'sentnode' | 'sentprov') => {
  const allowed = prefix === 'sent' ? 'sent1…' : `${prefix}1… or sent1…`;
  return z
    .string({ error: `expected an address ${allowed}` })
    .meta({ title: `address ${allowed}` })
    .transform((text, context) => {
      let parsed: Address;
      try {
        parsed = readAddress(text.trim());
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        context.addIssue(`${faultIn(error.rawMessage)}; expected ${allowed}`);
        return z.NEVER;
      }
      if (parsed.prefix !== prefix && parsed.prefix !== 'sent') {
        context.addIssue(`address ${quoted(text)} begins with ${cut(parsed.prefix, 20)}1; expected ${allowed}`);
        return z.NEVER;
      }
      return writeAddress({ ...parsed, prefix });
    });
};

/** A name used as a label value and in log lines. */
export const label = z
  .string({ error: 'expected a name' })
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,62}$/u, {
    error: (issue) =>
      `expected up to 63 letters, digits, spaces, dots, dashes or underscores (got ${quoted(issue.input)})`,
  })
  .meta({ title: 'name' });

const oneMailAddress = 'expected one mail address, such as ops@example.org or Ops <ops@example.org>';

/** A mail address as the mailer parses it: exactly one mailbox, in any notation. */
export const mailAddress = z
  .string({ error: oneMailAddress })
  .refine(isOneMailbox, { error: oneMailAddress })
  .meta({ title: 'mail address' });

function isOneMailbox(text: string): boolean {
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text)) return false;
  const [first, ...others] = addressparser(text);
  const address = first?.address ?? '';
  // Texts that another parser could read as a different address are rejected too.
  const isPlain = /^[^\s<>@,;:"()[\]\\]+@[\p{L}\p{N}][\p{L}\p{N}.-]*$/u.test(address);
  return others.length === 0 && isPlain && text.split('@').length === 2;
}

const notAnAmount = 'expected a whole number in the base unit of the denomination, such as 5000000';

/** Amounts by denomination in base units: whole numbers, quoted if they have more than sixteen digits. */
export const amounts = z.record(
  z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/, { error: 'expected a denomination, such as udvpn' })
    .meta({ title: 'denomination' }),
  z
    .union([z.int().min(0), z.string().regex(/^\d{1,60}$/)], { error: notAnAmount })
    .meta({ title: 'amount' })
    .transform((written) => BigInt(written)),
  { error: 'expected amounts by denomination, such as {udvpn: 5000000}' },
);

const isZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).format(0) !== '';
  } catch {
    return false;
  }
};

export const zone = word('a time zone, such as Europe/Berlin')
  .refine(isZone, {
    error: 'expected a time zone that this machine knows, such as Europe/Berlin or UTC',
  })
  .meta({ title: 'time zone', examples: ['Europe/Berlin'] });

/** A cron expression with five fields. */
export const cron = z
  .string({ error: 'expected a cron expression in quotes, such as "30 3 * * *"' })
  .superRefine((text, context) => {
    const fault = cronFault(text);
    if (fault !== undefined) context.addIssue(fault);
  })
  .meta({ title: 'cron expression', examples: ['30 3 * * *'] });
