import { getLatestBlock } from '@hubwatch/types/gen/methods/stack/base/bft/v1beta1/service';
import type { MessageTable } from '@hubwatch/types/runtime/table';
import { expect, it } from 'vitest';
import { getLatestHeight } from './latest-height.js';

/** Every field of a table with its facts, at any depth. */
function fieldsOf(table: MessageTable): string[] {
  return table.fields.flatMap((field) => {
    const facts = JSON.stringify({ ...field, in: table.name });
    return field.kind === 'message' ? [facts, ...fieldsOf(field.message())] : [facts];
  });
}

it('the query of the latest height: its method and fields are those of getLatestBlock', () => {
  const { request, response, ...facts } = getLatestHeight;
  expect(getLatestBlock).toMatchObject(facts);
  expect(request.name).toBe(getLatestBlock.request.name);
  expect(response.name).toBe(getLatestBlock.response.name);
  const block = getLatestBlock.response.fields.find(({ name }) => name === 'block');
  if (block?.kind !== 'message') throw new Error('block is no message');
  const header = block.message().fields.find(({ name }) => name === 'header');
  if (header?.kind !== 'message') throw new Error('header is no message');
  const generated = [
    [getLatestBlock.response, 'block'],
    [block.message(), 'header'],
    [header.message(), 'height'],
  ] as const;
  expect(fieldsOf(response)).toEqual(
    generated.map(([table, name]) =>
      JSON.stringify({ ...table.fields.find((field) => field.name === name), in: table.name }),
    ),
  );
});
