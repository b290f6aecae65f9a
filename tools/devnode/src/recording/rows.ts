import { join } from 'node:path';
import { JsonLines } from '../chain/json-lines.js';
import type { Header } from '../servers/http/message.js';

/** A row of `reads` or `errors`. */
export interface QueryRow {
  readonly group: string;
  readonly transport: 'grpc' | 'rest' | 'abci' | 'grpc-web';
  readonly node: string;
  readonly sent: GrpcSent & HttpSent;
  readonly got: GrpcGot & HttpGot;
}

export interface GrpcSent {
  readonly path: string;
  readonly metadata: readonly Header[];
  readonly message: string | null;
  readonly messages?: readonly string[];
  readonly content_type?: string;
  readonly headers?: readonly Header[];
  readonly unframed?: boolean;
  readonly message_is?: string | { readonly prefix: string; readonly then_zero_bytes: number };
}

export interface GrpcGot {
  readonly code: number | null;
  readonly message: string;
  readonly body: string | null;
  readonly initial: readonly Header[] | null;
  readonly trailers: (readonly Header[] & { readonly length: number }) | null;
  readonly trailers_only: boolean;
  readonly compressed?: boolean;
  readonly reset?: number;
  readonly messages?: readonly string[];
}

export interface HttpSent {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly Header[];
  readonly body?: string | null;
  readonly body_b64?: string;
  readonly version?: string;
  readonly then?: string;
  readonly target_is?: Repeated;
  readonly body_is?: Repeated;
}

export interface Repeated {
  readonly prefix: string;
  readonly then: string;
  readonly times: number;
  readonly suffix?: string;
}

export interface HttpGot {
  readonly status: number;
  readonly reason: string;
  readonly headers?: readonly Header[];
  readonly trailers: readonly Header[] | null;
  readonly body_b64?: string;
  readonly error?: string;
  readonly closed_after_s?: number;
}

/** A row of `rpc` or `halted`. */
export interface RpcRow {
  readonly id: string;
  readonly transport: 'uri' | 'post' | 'rest';
  readonly target: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly Header[];
    readonly body: string | null | { readonly prefix: string; readonly length: number; readonly rule: string };
  };
  readonly response: {
    readonly status: number;
    readonly headers: readonly Header[];
    readonly body: string;
    readonly error?: string;
    /** The body is truncated; `body_bytes` is its full length in characters. */
    readonly cut?: boolean;
    readonly body_bytes?: number;
  };
}

/** Names of the recorded nodes. */
export const nodeNames = ['archive', 'pruned', 'fresh', 'small'] as const;
export type NodeName = (typeof nodeNames)[number];

/** Row files that a recorded node answers from, in recording order. */
export const rowFiles = ['reads', 'errors', 'rpc', 'halted'] as const;
export type RowFile = (typeof rowFiles)[number];

/** Rows of one node in a file. The rows in `halted` belong to `archive` after its upgrade height. */
export function rowsOf<F extends RowFile>(
  folder: string,
  file: F,
  node: NodeName,
): (F extends 'reads' | 'errors' ? QueryRow : RpcRow)[] {
  const lines = new JsonLines(join(folder, `${file}.jsonl.gz`));
  const rows: unknown[] = [];
  for (let line = 0; line < lines.length; line++) {
    const row = lines.parse<{ node?: string; target: string }>(line);
    const owner = row.node ?? (row.target === 'halted' ? 'archive' : row.target);
    if (owner === node) rows.push(row);
  }
  return rows as (F extends 'reads' | 'errors' ? QueryRow : RpcRow)[];
}

/** Builds a text that a row describes by its parts because it is too long to store. */
export function repeated({ prefix, then, times, suffix = '' }: Repeated): string {
  return `${prefix}${then.repeat(times)}${suffix}`;
}

/** Path of a row. A very long path is stored as its prefix and length, and is padded with zeros. */
export function rpcPath({ request }: RpcRow): string {
  const [, start = request.path, length] = /^(.*)\.\.\. \((\d+) characters\)$/.exec(request.path) ?? [];
  return length === undefined ? request.path : start.padEnd(Number(length), '0');
}

const junkBytes = 700_000;

/** Body of a row. A very long body is stored as its prefix, its length and a repeated pattern. */
export function rpcBody({ request }: RpcRow): string {
  const { body } = request;
  if (body === null || typeof body === 'string') return body ?? '';
  const end = '"}}';
  if (body.rule.includes('base64')) {
    const start = body.prefix.slice(0, body.prefix.lastIndexOf('"') + 1);
    return `${start}${Buffer.alloc(junkBytes, 0xff).toString('base64')}${end}`;
  }
  return `${body.prefix.padEnd(body.length - end.length, '0')}${end}`;
}
