import type { ErrorCode } from '@hubwatch/types/gen/errors';
import { readJson } from '@hubwatch/types/runtime/small/read-json';
import type { Walk } from '@hubwatch/types/runtime/small/table';
import { transport } from './transport.js';

type Pair = readonly [name: string, value: unknown];

interface Json {
  readonly code: number;
  readonly message: string;
}

/**
 * Queries over the REST gateway. A height goes with the request only where a proxy lets its header through: give it in
 * `headers`. The answered height is known where the header is shown to the page.
 */
export const rest = /* @__PURE__ */ transport<'rest'>(
  'route',
  readJson,
  ({ route, request }, form) => {
    const query = new URLSearchParams(request(form, pairs) as [string, string][]);
    const path = (route as string).replace(/\{([\w.]+)(.*?)}/g, (_, name: string, wholeRest: string) => {
      const text = query.getAll(name).join();
      query.delete(name);
      // An empty segment leads to another route, and no route takes a slash in one segment.
      if (!text || (!wholeRest && text.includes('/'))) throw Error(`${name} cannot be ${text}`);
      return encodeURIComponent(text);
    });
    return `${path}?${query.toString()}`;
  },
  (json: Json, { headers, status }) => [
    json,
    // The name of the header is the network's own but for its end.
    [...headers].find(([name]) => name.endsWith('-block-height'))?.[1],
    status !== 200 && json.message,
    statusCodes[json.code] as ErrorCode | '',
  ],
);

/** Codes of gRPC, which the bodies of the gateway repeat. */
const statusCodes =
  ',cancelled,,invalid_argument,timeout,not_found,,,rate_limited,,,invalid_argument,unimplemented,internal,unavailable'.split(
    ',',
  );

/** Writes the parameters of a request. */
const pairs = {
  message: (fields, form: Record<string, unknown>): readonly Pair[] =>
    fields.flatMap(([, name, prop, , , kind]) =>
      [form[prop] ?? []].flat().flatMap((item) => {
        const value = kind(item, pairs);
        if (Array.isArray(value)) return value.map(([inner, text]: Pair) => [`${name}.${inner}`, text] as const);
        return [
          [
            name,
            value instanceof Uint8Array
              ? btoa(String.fromCharCode(...value))
                  .replaceAll('+', '-')
                  .replaceAll('/', '_')
              : value,
          ] as const,
        ];
      }),
    ),
  exact: (raw, value) => raw == value,
} as Walk;
