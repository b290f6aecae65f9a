import type { FieldShape, ValueShape } from './field.js';
import type { Carries, ErrorCodeSpec, GapKind, RpcMethodSpec, SpecTransport } from '../load/spec-types.js';

/**
 * Input of the emitters: plain data in a fixed order, without descriptors. Names are neutral and fully qualified unless stated
 * otherwise.
 */
export interface Model {
  readonly files: readonly FileModel[];
  readonly services: readonly ServiceModel[];
  readonly msgServices: readonly MsgServiceModel[];
  readonly interfaces: readonly InterfaceModel[];
  readonly rpcMethods: readonly RpcMethodModel[];
  readonly rpcShapes: readonly RpcShapeModel[];
  readonly errorCodes: readonly ErrorCodeModel[];
  /** Attributes whose values contain type URLs, by event type. */
  readonly namedAttributes: Readonly<Record<string, readonly string[]>>;
  /** Routes of removed services. The gateway still recognizes and refuses them. */
  readonly legacyRoutes: readonly LegacyRouteModel[];
  /** Declarations of messages and enums, by name. */
  readonly places: ReadonlyMap<string, DeclaredPlace>;
  readonly messages: ReadonlyMap<string, MessageModel>;
  readonly interfacesByName: ReadonlyMap<string, InterfaceModel>;
}

export interface DeclaredPlace {
  /** Path of the proto file, without extension. */
  readonly file: string;
  /** Name in the generated file, `Outer_Inner` for nested types. */
  readonly local: string;
}

export interface FileModel {
  /** Path without extension, `hub/node/v3/node`. */
  readonly path: string;
  /** `hub.node.v3`; empty if the proto file declares no package. */
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
  /** Description for the generated doc comment. */
  readonly doc?: string;
  readonly local: string;
  readonly fields: readonly FieldModel[];
  readonly isEvent: boolean;
  /** Contains an event of any type. Its type and the values of some attributes contain names of the network. */
  readonly holdsEvent?: true;
}

interface FieldFacts {
  readonly no: number;
  readonly name: string;
  readonly doc?: string;
  readonly prop: string;
  readonly repeated: boolean;
  readonly always: boolean;
  /** Has field presence: may be absent. */
  readonly optional?: true;
  readonly oneof?: string;
  /** Kind of names in the text of the field. */
  readonly carries?: Carries;
}

/** Refers to messages and enums by name. `any` lists the accepted interfaces, starting with the one from the proto file. */
export type FieldModel = FieldFacts & FieldShape<string, string, readonly string[]>;

export type ValueModel = ValueShape<string, string, readonly string[]>;

export interface InterfaceModel {
  readonly name: string;
  /** Path of its generated file in `any/`. */
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
  /** `*` for the whole message, or the name of a field. */
  readonly body?: string;
}

export interface ListModel {
  /** Field of the response that contains the records. */
  readonly items: string;
  readonly paging: 'key' | 'offset' | 'page';
  /** The node returns a next key only if the request has a key. */
  readonly keyFirst: boolean;
}

export interface MethodModel {
  readonly service: string;
  readonly name: string;
  readonly doc?: string;
  readonly constant: string;
  readonly request: string;
  readonly response: string;
  /** Set if the response is a paged list. */
  readonly list?: ListModel;
  /** Set if one side or both sides send more than one message. */
  readonly stream?: 'client' | 'server' | 'bidirectional';
  /** Set if the gateway has a route to the method. */
  readonly rest?: RestRuleModel;
  /** Further routes to the same method. */
  readonly moreRoutes?: readonly RestRuleModel[];
  readonly availability: Readonly<Record<SpecTransport, AvailabilityModel>>;
}

export interface ServiceModel {
  readonly name: string;
  /** Path of its generated file in `methods/`. */
  readonly path: string;
  readonly methods: readonly MethodModel[];
}

/** A message for transactions. */
export interface MsgModel {
  readonly constant: string;
  readonly request: string;
  readonly response: string;
  /** Members of the form with the addresses of the required signers; empty if the protos do not declare any. */
  readonly signers: readonly string[];
}

export interface MsgServiceModel {
  readonly name: string;
  /** Path of its generated file in `msgs/`. */
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
