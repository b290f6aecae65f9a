// Every proof that `npm run prove` knows. A new one is one file and one line here.
export { agreement } from './agreement.js';
export { availability } from './availability.js';
export { broadcastProof } from './broadcast.js';
export { documentRows } from './document-rows.js';
export { goldenChainTypes } from './golden-chain-types.js';
export { goldenDevnode } from './golden-devnode.js';
export { goldenErrors } from './golden-errors.js';
export { goldenReads } from './golden-reads.js';
export { goldenRefusals } from './golden-refusals.js';
export { goldenRpc } from './golden-rpc.js';
export { heartbeat } from './heartbeat.js';
export { pagesProof } from './pages.js';
export { retentionRefusals } from './retention-refusals.js';
export { openapi } from './openapi.js';
export { roundTrip } from './round-trip.js';
export { settlement } from './settlement.js';
export { websocketFaults } from './websocket-faults.js';
