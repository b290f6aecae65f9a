import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface GenTx {
  readonly body: {
    readonly memo: string;
    readonly messages: readonly {
      readonly description: { readonly moniker: string };
      readonly pubkey: { readonly key: string };
      readonly value: { readonly amount: string };
    }[];
  };
}

interface GenesisFile {
  readonly chain_id: string;
  readonly initial_height: string;
  readonly genesis_time: string;
  readonly consensus_params: ConsensusParams;
  readonly accounts: Readonly<Record<string, string>>;
  readonly module_accounts: Readonly<Record<string, string>>;
  readonly app_state: { readonly genutil: { readonly gen_txs: readonly GenTx[] } } & Readonly<Record<string, unknown>>;
}

export interface ConsensusParams {
  readonly block: { readonly max_bytes: string; readonly max_gas: string };
  readonly evidence: {
    readonly max_age_num_blocks: string;
    readonly max_age_duration: string;
    readonly max_bytes: string;
  };
  readonly validator: { readonly pub_key_types: readonly string[] };
  readonly version: { readonly app: string };
}

/** Content of a recording's genesis file, with neutral names in `appState`. */
export interface Genesis {
  readonly chainId: string;
  readonly initialHeight: number;
  readonly time: string;
  readonly consensusParams: ConsensusParams;
  /** Addresses of the accounts in the recording, by their short names. */
  readonly accounts: Readonly<Record<string, string>>;
  readonly moduleAccounts: Readonly<Record<string, string>>;
  readonly appState: Readonly<Record<string, unknown>>;
  readonly validator: {
    readonly key: string;
    readonly power: bigint;
    readonly moniker: string;
    readonly nodeId: string;
  };
}

const unitsPerPower = 1_000_000n;

export function readGenesis(folder: string): Genesis {
  const file = JSON.parse(readFileSync(join(folder, 'genesis-hub.json'), 'utf8')) as GenesisFile;
  const body = file.app_state.genutil.gen_txs[0]?.body;
  const message = body?.messages[0];
  if (body === undefined || message === undefined) {
    throw new Error(`${folder}/genesis-hub.json: app_state.genutil.gen_txs names no validator`);
  }
  return {
    chainId: file.chain_id,
    initialHeight: Number(file.initial_height),
    time: file.genesis_time,
    consensusParams: file.consensus_params,
    accounts: file.accounts,
    moduleAccounts: file.module_accounts,
    appState: file.app_state,
    validator: {
      key: message.pubkey.key,
      power: BigInt(message.value.amount) / unitsPerPower,
      moniker: message.description.moniker,
      nodeId: body.memo.split('@')[0] ?? '',
    },
  };
}
