import type { OpenApiSchema } from './json-schema.js';

const bits32 = { least: -(2 ** 31), most: 2 ** 31 - 1 };

const signed32: OpenApiSchema = { type: 'integer', format: 'int32', minimum: bits32.least, maximum: bits32.most };
const unsigned32: OpenApiSchema = { type: 'integer', format: 'uint32', minimum: 0, maximum: 2 ** 32 - 1 };
const signed64: OpenApiSchema = { type: 'string', format: 'int64', pattern: '^-?[0-9]{1,19}$' };
const unsigned64: OpenApiSchema = { type: 'string', format: 'uint64', pattern: '^[0-9]{1,20}$' };
const float: OpenApiSchema = { anyOf: [{ type: 'number' }, { enum: ['NaN', 'Infinity', '-Infinity'] }] };
const dec: OpenApiSchema = { type: 'string', format: 'decimal', pattern: '^-?[0-9]+\\.[0-9]{18}$' };

/** Output of the gateway for a value, by the kind of its field. 64-bit numbers and amounts are text. */
export const scalarSchemas: Readonly<Record<string, OpenApiSchema>> = {
  bool: { type: 'boolean' },
  int32: signed32,
  sint32: signed32,
  sfixed32: signed32,
  uint32: unsigned32,
  fixed32: unsigned32,
  int64: signed64,
  sint64: signed64,
  sfixed64: signed64,
  uint64: unsigned64,
  fixed64: unsigned64,
  float,
  double: float,
  string: { type: 'string' },
  // Empty bytes are `null`.
  bytes: { type: ['string', 'null'], contentEncoding: 'base64' },
  hex: { type: 'string', pattern: '^[0-9A-F]*$' },
  rawJson: { description: 'JSON of a contract, as it stands' },
  int: { type: 'string', format: 'integer', pattern: '^-?[0-9]+$' },
  dec,
  decBytes: dec,
  decText: { type: 'string' },
  timestamp: {
    type: 'string',
    format: 'date-time',
    description: 'RFC 3339 in UTC, up to 9 fraction digits; 0001-01-01T00:00:00Z is no time',
  },
  duration: { type: 'string', format: 'duration-seconds', pattern: '^-?[0-9]+(\\.[0-9]+)?s$' },
};
