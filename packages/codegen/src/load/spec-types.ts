/** Shapes of the files of a spec, as their JSON Schemas guarantee them. */

export type SpecTransport = 'grpc' | 'rest' | 'abci';

export const transportKinds: readonly SpecTransport[] = ['grpc', 'rest', 'abci'];

export type GapKind = 'unimplemented' | 'not_mounted' | 'no_rule' | 'not_routed' | 'shadowed' | 'refused';

export interface Replacement {
  /** `<service>/<method>`; `over` then lists where that method is served. */
  readonly method?: string;
  readonly over?: readonly SpecTransport[];
  /** The same method over another transport. */
  readonly same_method_over?: readonly SpecTransport[];
}

/** Why a method is not served on a transport. */
export interface ServiceGap {
  readonly kind: GapKind;
  /** Predicate of the sentence that callers get; its subject is the method. */
  readonly reason: string;
  /** Absent if nothing replaces the method. */
  readonly replacement?: Replacement;
  readonly documented?: string;
  readonly observed?: string;
}

export interface LegacyRoutes {
  readonly mounted: boolean;
  readonly documented?: string;
  readonly observed?: string;
  readonly replacement?: string;
  readonly routes: readonly string[];
}

export interface AvailabilitySpec {
  /**
   * Defaults for methods without an entry. If set, services that are not named below are emitted too. `rest` may be
   * `by_rule`: served if the proto file has an HTTP rule.
   */
  readonly defaults?: Readonly<Record<SpecTransport, string>>;
  /** Simple names of services whose requests are transaction messages. */
  readonly transaction_services?: readonly string[];
  /** First segment of a package → field with the signer of its messages, if the proto files do not declare it. */
  readonly signers?: Readonly<Record<string, string>>;
  readonly unserved: Readonly<Record<string, ServiceGap>>;
  /** Service → method → transport → `served` or the name of a gap. */
  readonly services: Readonly<
    Record<string, Readonly<Record<string, Readonly<Partial<Record<SpecTransport, string>>>>>>
  >;
  readonly legacy_routes: Readonly<Record<string, LegacyRoutes>>;
  /** `<service>/<method>` → route that the protos declare but the gateway does not mount. */
  readonly unmounted_routes?: Readonly<Record<string, string>>;
}

export interface InterfaceSpec {
  /** The framework reflection services do not know the interface. */
  readonly registered?: false;
  /** Messages that the protos declare as implementations but the node has not registered. */
  readonly declared_only?: readonly string[];
  readonly implementations: readonly string[];
}

/** An Any field that accepts more than its proto file declares. */
export interface AnyFieldSpec {
  /** Interface that the proto file declares. */
  readonly documented: string;
  /** Further interfaces, each with a recording in which the field contains a message of it. */
  readonly observed: readonly { readonly interface: string; readonly recording?: string }[];
}

export interface AnySpec {
  /** A field without an entry may contain any message. */
  readonly partial?: true;
  readonly interfaces: Readonly<Record<string, InterfaceSpec>>;
  /** `<message>.<field>` → its content: an interface, several of them, or `null` if unknown. */
  readonly fields: Readonly<Record<string, string | AnyFieldSpec | null>>;
}

export interface ListSpec {
  /** Member of the response that contains the records. */
  readonly items: string;
  /** Paging method if the list does not page by next key. */
  readonly paging?: 'offset' | 'page';
}

export interface ListsSpec {
  /** `<service>/<method>` of lists that return a next key only for a request with a key. */
  readonly defects: Readonly<Record<string, unknown>>;
  /** Service → method. */
  readonly methods: Readonly<Record<string, Readonly<Record<string, ListSpec>>>>;
}

export interface EnumsSpec {
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** Kinds of names inside a text. */
export type Carries =
  | 'type-url'
  | 'type-name'
  | 'service'
  | 'method-path'
  | 'file-name'
  | 'member'
  | 'event-query'
  | 'event-log'
  | 'amino-json';

/** Texts that contain names of the interface, which a network may rename. */
export interface NamesSpec {
  /** `<message>.<field>`. */
  readonly fields: Readonly<Record<string, Carries>>;
  /** Messages that represent an event: a `type` and its `attributes`. */
  readonly events: readonly string[];
  /** `<event type>.<attribute>` of events that have no message. */
  readonly attributes: Readonly<Record<string, Carries>>;
}

/** Causes of an event. */
export interface EventHooks {
  /** Transaction messages. */
  readonly tx?: readonly string[];
  /** Causes at the begin of a block. */
  readonly begin_block?: readonly string[];
  readonly note?: string;
}

export interface EventsSpec {
  readonly packages: readonly string[];
  /** Event type → its causes. */
  readonly emitted?: Readonly<Record<string, EventHooks>>;
  /** Packages whose events are known but no longer emitted. */
  readonly never_emitted_by_v12?: readonly string[];
}

export type RpcParamType = 'string' | 'int' | 'bool' | 'bytes' | 'hex' | 'strings' | 'json';

export interface RpcParam {
  readonly name: string;
  readonly type: RpcParamType;
  readonly required?: true;
  /** Kind of names inside the text. */
  readonly carries?: 'method-path' | 'event-query';
}

export interface RpcMethodSpec {
  readonly params: readonly RpcParam[];
  /** Transports that serve the method. */
  readonly over: readonly ('uri' | 'post' | 'websocket')[];
  /** Only on nodes that run with unsafe methods enabled. */
  readonly unsafe?: true;
  readonly cache?: 'always' | 'with_height';
  readonly result?: string;
  readonly does: string;
  readonly documented?: string;
}

/** Form of a value as a parameter. */
export interface RpcEncoding {
  readonly uri: string;
  readonly json: string;
}

export interface RpcSpec {
  /** Type tags that occur in JSON. */
  readonly tags?: readonly string[];
  readonly encodings?: Readonly<Partial<Record<RpcParamType, RpcEncoding>>>;
  readonly methods: Readonly<Record<string, RpcMethodSpec>>;
  /** Name → member → type text. */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface ErrorCodeSpec {
  readonly means: string;
  /** Advice for callers. */
  readonly do: string;
  /** The same read may be retried unchanged. */
  readonly retryable?: true;
  readonly documented?: string;
}

/** A condition under which a node refuses. */
export interface ErrorRow {
  readonly when: string;
  readonly code: string;
  readonly documented: Readonly<Record<string, unknown>>;
  readonly observed: Readonly<Record<string, unknown>>;
}

export interface ErrorsSpec {
  readonly rows?: Readonly<Record<string, ErrorRow>>;
  readonly codes: Readonly<Record<string, ErrorCodeSpec>>;
}

/** Naming profile: every table maps neutral → wire. */
export interface NamingSpec {
  readonly profile: string;
  readonly segments: Readonly<Record<'package' | 'file' | 'route' | 'event_type', Readonly<Record<string, string>>>>;
  readonly type_names: { readonly simple: Readonly<Record<string, string>> };
  readonly headers: Readonly<Record<string, string>>;
  readonly header_values: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly json_members: Readonly<Record<string, string>>;
  readonly amino: { readonly segments: Readonly<Record<string, string>> };
  readonly consensus_rpc_tags: { readonly segments: Readonly<Record<string, string>> };
}

/** Options of the proto files, by full name, that determine the representation of a value. */
export interface OptionsSpec {
  /** Option of a field: the interface that an Any accepts. */
  readonly accepts_interface?: string;
  /** Option of a message: the interfaces that it implements. */
  readonly implements_interface?: string;
  /** Text fields with this option value contain decimal text. */
  readonly decimal_text?: { readonly option: string; readonly value: string };
  /** Option of a transaction message: the fields that name its signers. */
  readonly signers?: string;
  /** Option of a message: its name in amino JSON. */
  readonly amino_name?: string;
}

/** Documentation of generated code, by full neutral name. */
export interface DocsSpec {
  readonly messages: Readonly<Record<string, string>>;
  /** `<message>.<field>`, or `<prefix>.*.<field>` for the fields of a name in all messages below a prefix. */
  readonly fields: Readonly<Record<string, string>>;
  /** `<service>/<method>` */
  readonly methods: Readonly<Record<string, string>>;
  /** Packages (including nested ones) in which everything must be documented. */
  readonly complete: readonly string[];
}

export interface Spec {
  readonly availability: AvailabilitySpec;
  readonly any: AnySpec;
  readonly enums: EnumsSpec;
  readonly names: NamesSpec;
  readonly events: EventsSpec;
  readonly rpc: RpcSpec;
  readonly errors: ErrorsSpec;
  readonly lists: ListsSpec;
  readonly options: OptionsSpec;
  readonly docs: DocsSpec;
  readonly naming: NamingSpec;
}
