export type { FollowedBlock, FollowedHeader } from './block-source.js';
export { type ChainFollower, type FollowOptions, followChain, type StreamOptions } from './follow-chain.js';
export type { FollowEvent } from './follow-event.js';
export type { FollowedEvent, UntypedEventType } from './pick-events.js';
export type { FollowedTx } from './pick-txs.js';
export type { Gap } from './read-surely.js';
export { type EventKind, EventQuery, eventQuery, parseEventQuery } from '../websocket/event-query.js';
