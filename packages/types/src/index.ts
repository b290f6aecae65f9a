export type {
  AnyMethod,
  Availability,
  Method,
  RequestOf,
  ResponseOf,
  RestRule,
  Served,
  TransportKind,
  Unserved,
} from './runtime/method.js';
export type { Naming } from './runtime/naming.js';
export { createNaming, identityNaming, type NamingProfile } from './runtime/naming-profile.js';
export type { AnyTable, Carrier, EnumTable, Field, FormOf, Kind, MessageTable } from './runtime/table.js';
export type {
  AnyKnown,
  AnyUnknown,
  Dec,
  Duration,
  EnumValue,
  Int,
  Timestamp,
  UnknownTypeUrl,
} from './runtime/values.js';
