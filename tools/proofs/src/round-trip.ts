import { messageByName, messageNames } from '@hubwatch/types/gen/registry';
import { decodeBinary, encodeBinary } from '@hubwatch/types/runtime/binary';
import { decodeBinaryFast } from '@hubwatch/types/runtime/compile-decoder';
import { fromJsonFast } from '@hubwatch/types/runtime/compile-json-decoder';
import { fromJson, parseJson, toGatewayJson } from '@hubwatch/types/runtime/json';
import { fromProtoJson, toProtoJson } from '@hubwatch/types/runtime/proto-json';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { isWellKnown } from '@hubwatch/types/runtime/well-known';
import { Counts } from './counts.js';
import { type Difference, firstDifference } from './first-difference.js';
import type { Proof, ProofOptions, ProofOutcome } from './proof.js';
import { type Form, RandomForms, type UnknownAny } from './random-form.js';
import { RandomSource } from './random-source.js';
import { loadStockCodecs, type StockCodecs } from './stock-decoder.js';

/** Encoding and decoding preserves every message of the interface. */
export const roundTrip: Proof = {
  name: 'round-trip',
  about:
    'Random messages of every type come back the same through binary, gateway JSON, protobuf JSON and Any; ts-proto reads and writes the same bytes.',
  defaultRuns: 2,
  run: prove,
};

const unknownAnys: readonly UnknownAny[] = ['none', 'bytes', 'members'];

async function prove({ seed, runs = 2, log }: ProofOptions): Promise<ProofOutcome> {
  const stock = await loadStockCodecs();
  const counts = new Counts();
  let counterExample: string | undefined;
  let [total, passed, values] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    for (const [index, name] of messageNames.entries()) {
      const table = messageByName(name) as MessageTable;
      for (const unknownAny of unknownAnys) {
        // Without an Any field the three variants are the same.
        if (unknownAny !== 'none' && !holdsAny(table)) continue;
        const random = new RandomSource(seed + run * 1_000_003 + index * 3 + unknownAnys.indexOf(unknownAny));
        const form = new RandomForms(random, unknownAny).form(table);
        const problem = checkForm(table, form, unknownAny, stock, counts);
        total++;
        values += table.fields.length;
        if (problem === undefined) passed++;
        else {
          const found = `${name}, run ${run}, unknown Any as ${unknownAny}: ${problem}`;
          if (total - passed <= 20) log(found);
          counterExample ??= found;
        }
      }
    }
  }
  return {
    passed,
    total,
    counterExample,
    figures: { types: messageNames.length, 'fields at the top': values, ...counts.figures() },
  };
}

const holders = new WeakMap<MessageTable, boolean>();

/** Whether a message can contain an Any, at any depth. */
function holdsAny(table: MessageTable): boolean {
  let known = holders.get(table);
  if (known === undefined) {
    holders.set(table, false);
    known = table.fields.some(
      (field) => field.kind === 'any' || (field.kind === 'message' && holdsAny(field.message())),
    );
    holders.set(table, known);
  }
  return known;
}

type Check = (table: MessageTable, form: Form, stock: StockCodecs) => Difference | undefined;

const binaryChecks: Readonly<Record<string, Check>> = {
  binary: (table, form) => firstDifference(form, decodeBinary(table, encodeBinary(table, form))),
  'binary, compiled decoder': (table, form) =>
    firstDifference(form, decodeBinaryFast(table, encodeBinary(table, form))),
  'read by ts-proto': (table, form, stock) => firstDifference(form, stock.decode(table, encodeBinary(table, form))),
  'written by ts-proto': (table, form, stock) => {
    const bytes = encodeBinary(table, form);
    const again = stock.rewrite(table, bytes) ?? new Uint8Array();
    // Not the same bytes: ts-proto writes fields in declaration order, and some lists of numbers unpacked.
    return firstDifference(form, decodeBinary(table, again));
  },
};

const jsonChecks: Readonly<Record<string, Check>> = {
  'gateway JSON': (table, form) => {
    const text = toGatewayJson(table, form);
    const read = fromJson(table, parseJson(text));
    return firstDifference(form, read) ?? firstDifference(text, toGatewayJson(table, read as Form));
  },
  'gateway JSON, compiled decoder': (table, form) =>
    firstDifference(form, fromJsonFast(table, parseJson(toGatewayJson(table, form)))),
  'protobuf JSON': (table, form) => firstDifference(form, fromProtoJson(table, JSON.parse(toProtoJson(table, form)))),
};

/**
 * Whether a message is from the only proto2 file: its absent fields have custom defaults, which the form does not know.
 * No response of the node contains these messages.
 */
function isProto2({ name }: MessageTable): boolean {
  return name.startsWith('google.protobuf.') && !isWellKnown(name);
}

/** A message that contains only an Any whose union includes the given type. */
function holderOf(table: MessageTable): MessageTable {
  const any = { [table.name]: () => table };
  return { name: 'Holder', fields: [{ no: 1, name: 'held', prop: 'held', kind: 'any', any: () => any }] };
}

function checkForm(
  table: MessageTable,
  form: Form,
  unknownAny: UnknownAny,
  stock: StockCodecs,
  counts: Counts,
): string | undefined {
  const inAny: Form = { held: { typeUrl: `/${table.name}`, value: form } };
  const suites = [
    ...(unknownAny === 'members' ? [] : [binaryChecks]),
    // Bytes of an unknown type cannot be printed as JSON members.
    ...(unknownAny === 'bytes' ? [] : [jsonChecks]),
  ];
  let problem: string | undefined;
  for (const checks of suites) {
    for (const [claim, check] of Object.entries(checks)) {
      if (claim.includes('ts-proto') && isProto2(table)) continue;
      const found = attempt(() => check(table, form, stock));
      counts.add(claim, found === undefined);
      if (found !== undefined) problem ??= `${claim}: ${found}`;
      // An Any in an Any has no JSON form, and no field of the node contains one.
      if (claim.includes('ts-proto') || table.name === 'google.protobuf.Any') continue;
      const foundInAny = attempt(() => check(holderOf(table), inAny, stock));
      counts.add(`${claim}, inside Any`, foundInAny === undefined);
      if (foundInAny !== undefined) problem ??= `${claim}, inside Any: ${foundInAny}`;
    }
  }
  return problem;
}

function attempt(check: () => Difference | undefined): string | undefined {
  try {
    const found = check();
    return found && `${found.path || 'the whole'} was ${found.wanted} and is ${found.got}`;
  } catch (error) {
    return (error as Error).message;
  }
}
