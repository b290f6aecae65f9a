import { expect, test } from 'vitest';
import { diagnosisOf, healthyEngine, statesFrom } from '../../../test/diagnosis.js';
import { findingsOf } from '../findings/index.js';
import { doctorJson } from './json.js';
import { colours, columns, noColours, wrapped } from './layout.js';
import { doctorReport } from './text.js';

const escape = String.fromCharCode(27);

test('doctor report: untrusted text reaches the terminal without control characters', () => {
  const moniker = `evil${escape}[2J\r\nAdvice\u202e`;
  const diagnosis = diagnosisOf({ engine: { ...healthyEngine, moniker, chainId: `hub${escape}]0;x` } });
  const report = doctorReport(diagnosis, findingsOf(diagnosis), noColours);
  expect(report).toContain('moniker    evil [2J Advice');
  expect(report.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
});

test('doctor report: colours add only escape codes, and appear only if requested', () => {
  const diagnosis = diagnosisOf({ states: [statesFrom(1_900_000n)] });
  const plain = doctorReport(diagnosis, findingsOf(diagnosis), noColours);
  const coloured = doctorReport(diagnosis, findingsOf(diagnosis), colours);
  expect(plain).not.toContain(escape);
  expect(coloured).toContain(`${escape}[32myes, state 2000000${escape}[0m`);
  expect(coloured.replaceAll(new RegExp(`${escape}\\[\\d+m`, 'g'), '')).toBe(plain);
});

test('doctor report: no line is wider than the terminal, and text to copy is not broken', () => {
  const setting = '`a setting = "with blanks"`';
  const lines = wrapped('  1. ', `${'word '.repeat(14)}${setting} ${'x'.repeat(90)} end`);
  expect(lines).toEqual([`  1. ${'word '.repeat(14).trim()}`, `     ${setting}`, `     ${'x'.repeat(90)}`, '     end']);
  const longest = { grpc: `${'n'.repeat(50)}.example:9090` };
  const ways = new Map(
    [...diagnosisOf().ways].map(([name, way]) => [name, { ...way, address: longest.grpc }] as const),
  );
  const report = doctorReport(diagnosisOf({ ways }), [], noColours).split('\n');
  expect(report).toContain(`  gRPC       ${longest.grpc}`);
  expect(report).toContain('             yes, state 2000000');
  expect(Math.max(...report.map((line) => line.length))).toBeLessThanOrEqual(columns);
});

test('doctor JSON: heights as strings, unknown values as null, advice with its names', () => {
  const diagnosis = diagnosisOf({ engine: { ...healthyEngine, firstBlock: undefined, exposesUnsafe: true } });
  expect(JSON.parse(doctorJson(diagnosis, findingsOf(diagnosis)))).toMatchObject({
    endpoint: 'own',
    ways: { grpc: { answers: true, state_height: '2000000', cause: null } },
    first_block: null,
    unsafe_exposed: true,
    index: { state: 'on', lag: '1', reaches_first: true },
    states: [{ way: 'grpc', lowest: '901801', exact: true }],
    advice: [{ id: 'unsafe-exposed', advice: expect.stringContaining('unsafe = false') }],
  });
});
