// Lists of copies of one encoded record with patched numbers, so that the server does not dominate the measurement.
import { publicNaming } from '@hubwatch/client';
import { Lease } from '@hubwatch/types/gen/forms/hub/lease/v1/lease';
import { Node } from '@hubwatch/types/gen/forms/hub/node/v3/node';
import { Session } from '@hubwatch/types/gen/forms/hub/node/v3/session';
import { queryLeases } from '@hubwatch/types/gen/methods/hub/lease/v1/query-service';
import { queryNodes } from '@hubwatch/types/gen/methods/hub/node/v3/query-service';
import { querySessions } from '@hubwatch/types/gen/methods/hub/session/v3/query-service';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import type { AnyMethod } from '@hubwatch/types/runtime/method';
import { counts, downloadBytes, firstId, hourlyPrice, hoursPaid, leaseHours, sessionGigabytes } from './world.js';

const blank = new Uint8Array(0);
const time = { seconds: 1_795_865_763n, nanos: 242_576_840 };
const address = 'sent1kw20mvcnpctxdkrk5s98suamp2kv3zv6u6pk42';
const price = { denom: 'udvpn', baseValue: '0.005000000000000000', quoteValue: String(hourlyPrice) };
const templateHours = 99n;
const templateId = 2 ** 28 - 1;
const templateBytes = '987654321';

/** A list that a server serves page by page. */
export interface ServedList {
  readonly method: AnyMethod;
  /** Encoded response with the records starting at `from`, as of a height. */
  page(from: number, limit: number, height: number): Buffer;
}

interface Listed {
  readonly method: AnyMethod;
  readonly count: number;
  readonly record: Buffer;
  readonly patch: (record: Buffer, no: number, height: number) => void;
}

export const largeLists = (): readonly ServedList[] =>
  [sessions(), leases(), nodes()].map((list) => ({
    method: list.method,
    page: (from, limit, height) => pageOf(list, from, limit, height),
  }));

function sessions(): Listed {
  const empty = decodeBinary(Session, blank);
  const value = {
    ...empty,
    baseSession: {
      ...(empty.baseSession as NonNullable<Session['baseSession']>),
      id: BigInt(templateId),
      accAddress: address,
      nodeAddress: address,
      downloadBytes: templateBytes,
      uploadBytes: '123456789',
      maxBytes: String(sessionGigabytes * 1_000_000_000n),
      status: 1,
      inactiveAt: time,
      startAt: time,
      statusAt: time,
    },
    price,
  } as Session;
  const record = encode(querySessions, { sessions: [{ typeUrl: '/hub.node.v3.Session', value }] });
  const [id, bytes] = [idPlace(record), record.indexOf(templateBytes)];
  return {
    method: querySessions,
    count: counts.sessions,
    record,
    patch: (page, no, height) => {
      writeId(page, id, firstId + no);
      page.write(String(downloadBytes(no, height)), bytes, 'latin1');
    },
  };
}

function leases(): Listed {
  const value = {
    ...decodeBinary(Lease, blank),
    id: BigInt(templateId),
    provAddress: address,
    nodeAddress: address,
    price,
    hours: templateHours,
    maxHours: leaseHours,
    startAt: time,
  };
  const record = encode(queryLeases, { leases: [value] });
  const id = idPlace(record);
  // Field 5, a varint of one byte.
  const hours = record.indexOf(Buffer.of(5 << 3, Number(templateHours))) + 1;
  return {
    method: queryLeases,
    count: counts.leases,
    record,
    patch: (page, no) => {
      writeId(page, id, firstId + no);
      page[hours] = Number(hoursPaid(no));
    },
  };
}

function nodes(): Listed {
  const name = 'sentnode000000000';
  const value = {
    ...decodeBinary(Node, blank),
    address: name,
    hourlyPrices: [price],
    gigabytePrices: [price],
    remoteAddrs: ['127.0.0.1:8585'],
    status: 1,
    statusAt: time,
  };
  const record = encode(queryNodes, { nodes: [value] });
  const place = record.indexOf(name) + 8;
  return {
    method: queryNodes,
    count: counts.nodes,
    record,
    patch: (page, no) => void page.write(String(no).padStart(9, '0'), place, 'latin1'),
  };
}

function encode(method: AnyMethod, form: object): Buffer {
  return Buffer.from(encodeBinary(method.response, { ...form, pagination: undefined }, publicNaming));
}

function idPlace(record: Buffer): number {
  return record.indexOf(Buffer.of(0xff, 0xff, 0xff, 0x7f));
}

function writeId(page: Buffer, at: number, id: number): void {
  page[at] = (id & 127) | 128;
  page[at + 1] = ((id >>> 7) & 127) | 128;
  page[at + 2] = ((id >>> 14) & 127) | 128;
  page[at + 3] = id >>> 21;
}

/** A page starting at a record; the page key is the number of the first record. */
function pageOf({ method, count, record, patch }: Listed, from: number, limit: number, height: number): Buffer {
  const size = Math.max(0, Math.min(limit, count - from));
  const next = from + size;
  const nextKey = next < count ? Buffer.from(String(next)) : blank;
  const end = Buffer.from(encodeBinary(method.response, { pagination: { nextKey, total: 0n } }, publicNaming));
  const page = Buffer.allocUnsafe(size * record.length + end.length);
  for (let no = 0; no < size; no++) {
    const part = page.subarray(no * record.length, (no + 1) * record.length);
    record.copy(part);
    patch(part, from + no, height);
  }
  end.copy(page, size * record.length);
  return page;
}
