import type { Naming } from '@hubwatch/types/runtime/naming';

export interface NamingEndpoints {
  readonly grpc?: string | undefined;
  readonly rest?: string | undefined;
  readonly rpc?: string | undefined;
}

export declare function detectNaming(endpoints: NamingEndpoints): Promise<Naming>;
