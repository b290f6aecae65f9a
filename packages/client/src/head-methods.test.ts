import { getLatestBlock } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import { currentPlan } from '@hubwatch/types/gen/methods/stack/upgrade/v1beta1/query';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { describe, expect, it } from 'vitest';
import { currentPlannedHeight, getLatestHeight } from './head-methods.js';

/** Checks that each field of a table is in the generated table with the same properties, at any depth. */
function expectPart(part: MessageTable, whole: MessageTable): void {
  expect(part.name).toBe(whole.name);
  for (const field of part.fields) {
    const generated = whole.fields.find(({ name }) => name === field.name);
    // Table references are functions and therefore not part of the JSON text.
    expect(JSON.stringify(field)).toBe(JSON.stringify(generated));
    if (field.kind === 'message' && generated?.kind === 'message') expectPart(field.message(), generated.message());
  }
}

describe('methods that read the head of a node', () => {
  it.each([
    ['getLatestHeight', getLatestHeight, getLatestBlock],
    ['currentPlannedHeight', currentPlannedHeight, currentPlan],
  ] as const)('%s: route, names and fields equal those of the generated method', (_, { response, ...facts }, whole) => {
    expect(whole).toMatchObject(facts);
    expectPart(response, whole.response);
  });
});
