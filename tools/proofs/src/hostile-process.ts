// Runs all hostile peers in a separate process, so that their traffic does not slow down the good node.
import { hostileKinds, startHostilePeer } from './hostile-peers.js';

const peers = await Promise.all(hostileKinds.map(startHostilePeer));
process.send?.(peers.map(({ rpc, rest, grpc }) => ({ rpc, rest, grpc })));
process.on('message', () => process.send?.(peers.map((peer) => peer.counts())));
process.on('disconnect', () => process.exit(0));
