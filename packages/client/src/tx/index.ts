export { packMsg, type PackedMsg } from '@hubwatch/types/runtime/msg';
export { estimateGas, readAccount } from './account.js';
export { type SignerParts, txHash, type TxFee, type TxParts, writeAuthInfo, writeTx, writeTxBody } from './build-tx.js';
export { decodeTx } from './read-tx.js';
export { type DirectSignDoc, type OfflineDirectSigner, type SignedTx, type SignOptions, signTx } from './sign-tx.js';
export { type SearchOptions, searchTxs } from './search-txs.js';
