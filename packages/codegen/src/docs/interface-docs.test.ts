import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { repositoryRoot } from '../../test/copied-root.js';
import { runCli } from '../cli.js';

test('docs: the command writes the pages into a folder, each with its row, reason, defect and numbers', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hubwatch-docs-'));
  try {
    let text = '';
    const keep = (part: string) => void (text += part);
    const args = ['docs', '--root', repositoryRoot, '--out', 'pages'];
    expect(await runCli(args, folder, { out: keep, err: keep })).toBe(0);
    expect(text).toBe('pages: methods.md, enums.md, events.md, messages.md, refusals.md\n');
    const pages = join(folder, 'pages');
    expect(await readdir(pages)).toHaveLength(5);
    const read = (name: string) => readFile(join(pages, name), 'utf8');
    const methods = await read('methods.md');
    expect(methods).toContain('| `QueryNodes` | yes | `GET /hub/node/v3/nodes` | yes | `nodes` |');
    expect(methods).toContain('| `QueryPlans` | yes | not mounted | yes | `plans` |');
    expect(methods).toMatch(
      /^- hub\.plan\.v3 QueryPlans has no REST route on hub v12, .*; call it over gRPC or abci_query instead\.$/m,
    );
    expect(methods).toMatch(/^- `QueryNodesForPlan`: Known defect: .* Workaround: /m);
    expect(methods).toContain('A list returns 100 records per page if the request sets no limit.');
    expect(await read('enums.md')).toContain('| 2 | `STATUS_INACTIVE_PENDING` | `inactive_pending` |');
    expect(await read('events.md')).toMatch(
      /^\| `hub\.lease\.v1\.EventCreate` \| .*`hub\.lease\.v1\.MsgStartLeaseRequest` \|$/m,
    );
    expect(await read('messages.md')).toContain('| `stack.bank.v1beta1.MsgSend` | `msgSend` | `fromAddress` |');
    expect(await read('refusals.md')).toMatch(/\| `height_not_retained` \|/);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('docs: without a folder nothing is written', async () => {
  let text = '';
  const keep = (part: string) => void (text += part);
  expect(await runCli(['docs', '--root', repositoryRoot], repositoryRoot, { out: keep, err: keep })).toBe(2);
  expect(text).toMatch(/required option "--out <DIR>"/);
});
