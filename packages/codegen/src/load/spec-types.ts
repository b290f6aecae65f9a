/** Shapes of the files of a spec, as their JSON Schemas guarantee them. */

export type SpecTransport = 'grpc' | 'rest' | 'abci';

export const transportKinds: readonly SpecTransport[] = ['grpc', 'rest', 'abci'];

export type GapKind = 'unimplemented' | 'not_mounted' | 'no_rule' | 'not_routed' | 'shadowed' | 'refused';

export interface Replacement {
  /** `<service>/<method>`; with it `over` names where that method is served. */
  readonly method?: string;
  readonly over?: readonly SpecTransport[];
  /** The method itself, over another transport. */
  readonly same_method_over?: readonly SpecTransport[];
}

/** Why a method is not served on a transport. */
export interface ServiceGap {
  readonly kind: GapKind;
  /** Predicate of the sentence that callers see; its subject is the method. */
  readonly reason: string;
  /** Absent where nothing stands in for the method. */
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
   * Lines of every method that has none of its own; with it, services that are not named below are emitted too. `rest`
   * may be `by_rule`: served where the proto file gives an HTTP rule.
   */
  readonly defaults?: Readonly<Record<SpecTransport, string>>;
  /** Simple names of services whose requests are messages of transactions. */
  readonly transaction_services?: readonly string[];
  /** First segment of a package → field that holds who signs its messages, where the proto files do not say. */
  readonly signers?: Readonly<Record<string, string>>;
  readonly unserved: Readonly<Record<string, ServiceGap>>;
  /** Service → method → transport → `served` or the name of a gap. */
  readonly services: Readonly<
    Record<string, Readonly<Record<string, Readonly<Partial<Record<SpecTransport, string>>>>>>
  >;
  readonly legacy_routes: Readonly<Record<string, LegacyRoutes>>;
  /** `<service>/<method>` → route that the protos declare and the gateway does not mount. */
  readonly unmounted_routes?: Readonly<Record<string, string>>;
}

export interface InterfaceSpec {
  /** The framework reflection services do not know the interface. */
  readonly registered?: false;
  /** Messages that the protos declare as implementations and the node has not registered. */
  readonly declared_only?: readonly string[];
  readonly implementations: readonly string[];
}

/** An Any field that holds more than its proto file says. */
export interface AnyFieldSpec {
  /** Interface that the proto file names. */
  readonly documented: string;
  /** Further interfaces, each with a recording that shows a message of it in the field. */
  readonly observed: readonly { readonly interface: string; readonly recording?: string }[];
}

export interface AnySpec {
  /** A field without a line may hold anything. */
  readonly partial?: true;
  readonly interfaces: Readonly<Record<string, InterfaceSpec>>;
  /** `<message>.<field>` → what it holds: an interface, several of them, or `null` where nothing is known. */
  readonly fields: Readonly<Record<string, string | AnyFieldSpec | null>>;
}

export interface ListSpec {
  /** Member of the answer that holds the records. */
  readonly items: string;
  /** How to go on where a next key does not say it. */
  readonly paging?: 'offset' | 'page';
}

export interface ListsSpec {
  /** `<service>/<method>` of lists that give a next key only to who came with a key. */
  readonly defects: Readonly<Record<string, unknown>>;
  /** Service → method. */
  readonly methods: Readonly<Record<string, Readonly<Record<string, ListSpec>>>>;
}

export interface EnumsSpec {
  readonly texts: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What names a text carries. */
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

/** Texts that carry names of the interface, which a network may call otherwise. */
export interface NamesSpec {
  /** `<message>.<field>`. */
  readonly fields: Readonly<Record<string, Carries>>;
  /** Messages that are an event: a `type` and its `attributes`. */
  readonly events: readonly string[];
  /** `<event type>.<attribute>` of events that are no messages. */
  readonly attributes: Readonly<Record<string, Carries>>;
}

/** What emits an event. */
export interface EventHooks {
  /** Messages of transactions. */
  readonly tx?: readonly string[];
  /** Causes at the begin of a block. */
  readonly begin_block?: readonly string[];
  readonly note?: string;
}

export interface EventsSpec {
  readonly packages: readonly string[];
  /** Event type → where it comes from. */
  readonly emitted?: Readonly<Record<string, EventHooks>>;
  /** Packages whose events are known and no longer emitted. */
  readonly never_emitted_by_v12?: readonly string[];
}

export type RpcParamType = 'string' | 'int' | 'bool' | 'bytes' | 'hex' | 'strings' | 'json';

export interface RpcParam {
  readonly name: string;
  readonly type: RpcParamType;
  readonly required?: true;
  /** Names that the text carries. */
  readonly carries?: 'method-path' | 'event-query';
}

export interface RpcMethodSpec {
  readonly params: readonly RpcParam[];
  /** Transports that reach the method. */
  readonly over: readonly ('uri' | 'post' | 'websocket')[];
  /** Only on nodes that run with unsafe methods enabled. */
  readonly unsafe?: true;
  readonly cache?: 'always' | 'with_height';
  readonly result?: string;
  readonly does: string;
  readonly documented?: string;
}

/** How a value is written as a parameter. */
export interface RpcEncoding {
  readonly uri: string;
  readonly json: string;
}

export interface RpcSpec {
  /** Type tags that stand in JSON. */
  readonly tags?: readonly string[];
  readonly encodings?: Readonly<Partial<Record<RpcParamType, RpcEncoding>>>;
  readonly methods: Readonly<Record<string, RpcMethodSpec>>;
  /** Name → member → type text. */
  readonly shapes: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface ErrorCodeSpec {
  readonly means: string;
  /** What a caller can do. */
  readonly do: string;
  /** The same read may be asked again as it is. */
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

/** Naming profile: every table reads neutral → wire. */
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

/** Options of the proto files, by full name, that say how a value is held. */
export interface OptionsSpec {
  /** Of a field: the interface that an Any accepts. */
  readonly accepts_interface?: string;
  /** Of a message: the interfaces that it implements. */
  readonly implements_interface?: string;
  /** Text fields with this value hold decimal text. */
  readonly decimal_text?: { readonly option: string; readonly value: string };
  /** Of a message of transactions: the fields that name its signers. */
  readonly signers?: string;
  /** Of a message: its name in amino JSON. */
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
