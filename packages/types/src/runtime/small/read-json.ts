import { assemble, misfit, type Walk } from './table.js';

/** Reads gateway JSON. Members that the table does not know are passed over. */
export const readJson: Walk = {
  message(fields, json) {
    const members = (json ?? {}) as Record<string, unknown>;
    if (typeof members !== 'object' || Array.isArray(members)) throw misfit(json);
    return assemble(fields, readJson, ([, name, prop]) => members[name] ?? members[prop]);
  },
  /** RFC 3339 in UTC, `7200s`, `-1.5s`. */
  span(text, unit) {
    const [, minus = '', whole = '', day = '', fraction = '', found] =
      /^(?:(-?)(\d+)|(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d))(?:\.(\d{1,9}))?([sZ])$/.exec(text as string) ?? [];
    if (found !== unit) throw misfit(text);
    return {
      seconds: BigInt(day ? Date.parse(`${day}Z`) / 1000 : minus + whole),
      nanos: Number(minus + fraction.padEnd(9, '0')),
    };
  },
  decimal(text) {
    const [whole, fraction = ''] = text.split('.');
    return `${whole}.${fraction.padEnd(18, '0')}`;
  },
  exact: (raw, value) => raw === `${value}` || (Number.isSafeInteger(raw) && raw == value),
};
