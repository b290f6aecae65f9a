import type { FieldShape, ValueShape } from './field.js';
import type { Carries, ErrorCodeSpec, GapKind, RpcMethodSpec, SpecTransport } from '../load/spec-types.js';

/**
 * What the emitters read: plain data, in a fixed order, without descriptors. Names are neutral and full unless said.
 */
export interface Model {
  readonly files: readonly FileModel[];
  readonly services: readonly ServiceModel[];
  readonly msgServices: readonly MsgServiceModel[];
  readonly interfaces: readonly InterfaceModel[];
  readonly rpcMethods: readonly RpcMethodModel[];
  readonly rpcShapes: readonly RpcShapeModel[];
  readonly errorCodes: readonly ErrorCodeModel[];
  /** Attributes whose values hold type URLs, by event type. */
  readonly namedAttributes: Readonly<Record<string, readonly string[]>>;
  /** Routes of services that are gone; the gateway still refuses them by name. */
  readonly legacyRoutes: readonly LegacyRouteModel[];
  /** Where a message or enum stands. */
  readonly places: ReadonlyMap<string, DeclaredPlace>;
  readonly messages: ReadonlyMap<string, MessageModel>;
  readonly interfacesByName: ReadonlyMap<string, InterfaceModel>;
}

export interface DeclaredPlace {
  /** Path of the proto file without its ending. */
  readonly file: string;
  /** Name in the generated file, `Outer_Inner` for nested types. */
  readonly local: string;
}

export interface FileModel {
  /** Without ending, `hub/node/v3/node`. */
  readonly path: string;
  /** `hub.node.v3`; empty where the proto file names none. */
  readonly package: string;
  readonly enums: readonly EnumModel[];
  readonly messages: readonly MessageModel[];
}

export interface EnumModel {
  readonly name: string;
  readonly local: string;
  readonly values: readonly { readonly name: string; readonly number: number; readonly text?: string }[];
}

export interface MessageModel {
  readonly name: string;
  /** What it is, for people. */
  readonly doc?: string;
  readonly local: string;
  readonly fields: readonly FieldModel[];
  readonly isEvent: boolean;
  /** Holds any event: its type and the values of some attributes are names. */
  readonly holdsEvent?: true;
}

interface FieldFacts {
  readonly no: number;
  readonly name: string;
  readonly doc?: string;
  readonly prop: string;
  readonly repeated: boolean;
  readonly always: boolean;
  /** Has presence and may be absent. */
  readonly optional?: true;
  readonly oneof?: string;
  /** Names that a text carries. */
  readonly carries?: Carries;
}

/** Names of messages and enums; of `any`, the interfaces that it accepts, the one of its proto file first. */
export type FieldModel = FieldFacts & FieldShape<string, string, readonly string[]>;

export type ValueModel = ValueShape<string, string, readonly string[]>;

export interface InterfaceModel {
  readonly name: string;
  /** Path of its generated file below `any/`. */
  readonly path: string;
  readonly typeName: string;
  readonly tableName: string;
  readonly implementations: readonly string[];
}

export type AvailabilityModel =
  | { readonly served: true }
  | { readonly served: false; readonly kind: GapKind; readonly sentence: string };

export interface RestRuleModel {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** `*` or the name of a field. */
  readonly body?: string;
}

export interface ListModel {
  /** Field of the answer that holds the records. */
  readonly items: string;
  readonly paging: 'key' | 'offset' | 'page';
  /** A next key comes only to who came with a key. */
  readonly keyFirst: boolean;
}

export interface MethodModel {
  readonly service: string;
  readonly name: string;
  readonly doc?: string;
  readonly constant: string;
  readonly request: string;
  readonly response: string;
  /** Set where the answer is a list that pages. */
  readonly list?: ListModel;
  /** Who sends more than one message. */
  readonly stream?: 'client' | 'server' | 'bidirectional';
  /** Only where the gateway has the route. */
  readonly rest?: RestRuleModel;
  /** Further routes to the same method. */
  readonly moreRoutes?: readonly RestRuleModel[];
  readonly availability: Readonly<Record<SpecTransport, AvailabilityModel>>;
}

export interface ServiceModel {
  readonly name: string;
  /** Path of its generated file below `methods/`. */
  readonly path: string;
  readonly methods: readonly MethodModel[];
}

/** A message of transactions. */
export interface MsgModel {
  readonly constant: string;
  readonly request: string;
  readonly response: string;
  /** Members of the form that hold who must sign; none where the protos do not say. */
  readonly signers: readonly string[];
}

export interface MsgServiceModel {
  readonly name: string;
  /** Path of its generated file below `msgs/`. */
  readonly path: string;
  readonly msgs: readonly MsgModel[];
}

export interface RpcMethodModel extends RpcMethodSpec {
  readonly name: string;
}

export interface RpcShapeModel {
  readonly name: string;
  readonly members: readonly { readonly name: string; readonly type: string; readonly optional: boolean }[];
}

export interface ErrorCodeModel extends ErrorCodeSpec {
  readonly code: string;
}

export interface LegacyRouteModel {
  readonly service: string;
  readonly path: string;
}
