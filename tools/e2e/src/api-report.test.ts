import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { published, workspace } from '@hubwatch/bench/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiReports } from './api-report.js';

describe('api report', () => {
  let reports: ReadonlyMap<string, string>;
  beforeAll(() => {
    reports = apiReports();
  });

  it.each(published)('api report of %s: equals the committed file; run "npm run docs" to update it', (name) => {
    const path = `packages/${name}/api-report.txt`;
    const committed = join(workspace, path);
    expect(existsSync(committed) ? readFileSync(committed, 'utf8') : '(no such file)').toBe(reports.get(path));
  });

  it('api report: functions, classes, constants and types, through every re-export and sub-entry', () => {
    const lines = new Set([...reports.values()].flatMap((text) => text.split('\n')));
    const known = [
      '# @hubwatch/client/rest',
      'connect: function connect<const O extends ConnectOptions>(options: O): Connection<O>',
      'publicNaming: const publicNaming: Naming',
      "TransportKind: type TransportKind = 'grpc' | 'rest' | 'abci'",
      '# @hubwatch/types/hub/node/v3',
      'NodeQuery: from gen/services/hub/node/v3/query-service',
      '# @hubwatch/types/gen/msgs/hub/node/v3/msg-service',
      'msgRegisterNode: const msgRegisterNode: Msg<MsgRegisterNodeRequest, MsgRegisterNodeResponse>',
    ];
    expect(known.filter((line) => !lines.has(line))).toEqual([]);
    expect(
      [...lines].filter((line) => line.endsWith('(not found)') || /\/gen\/(?:messages|entries)\//.test(line)),
    ).toEqual([]);
  });
});
