import { describe, expect, test } from 'vitest';
import { attemptOf } from '../../test/deliveries.js';
import { noticeText } from './plain-text.js';

const origin = { monitor: 'mon', statusPage: 'http://monitor:9190' };

const storm = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    subject: `node${index}`,
    title: `node ${index}: inactive since 2026-11-27 23:21:34 UTC`,
    isFiring: true,
  }));

const named = (text: string): number =>
  text.split('\n').filter((line) => /^- node \d+: inactive since .* UTC$/.test(line)).length;

describe('a notice about many alerts', () => {
  test.each([400, 1_000, 3_000, 3_900, 4_096, 20_000])(
    'text of %i characters: names the alerts that fit, and counts the rest',
    (limit) => {
      const text = noticeText(attemptOf({ members: storm(900), text: 'details\n'.repeat(500) }), origin, limit);
      expect(text.length).toBeLessThanOrEqual(limit);
      const more = Number(/^- and (\d+) more$/m.exec(text)?.[1]);
      expect(named(text) + more).toBe(900);
      expect(text).toContain('Status page: http://monitor:9190\nNotice: ');
    },
  );

  test('text without a limit: names all', () => {
    const text = noticeText(attemptOf({ members: storm(900) }), origin);
    expect(named(text)).toBe(900);
    expect(text).not.toContain(' more');
  });

  test('text in the short form: names the alerts that fit, and counts the rest', () => {
    const text = noticeText(attemptOf({ members: storm(900) }, { isShort: true }), origin);
    expect(text.length).toBeLessThan(2_000);
    expect(named(text)).toBeGreaterThan(10);
    expect(named(text) + Number(/^- and (\d+) more$/m.exec(text)?.[1])).toBe(900);
  });

  test('text with room left: the details follow, cut between lines', () => {
    const details = Array.from({ length: 200 }, (_, index) => `detail ${index}`).join('\n');
    const text = noticeText(attemptOf({ members: storm(3), text: details }), origin, 1_000);
    expect(named(text)).toBe(3);
    expect(text).toMatch(/detail \d+\n… \d+ more lines\n/);
  });
});
