/** What a connection does by itself, for logs and metrics. */
export interface ConnectionEvent {
  /** A call over REST went another way, because no route of the gateway can carry its request. */
  readonly kind: 'rerouted';
  /** Neutral `<service>/<method>`. */
  readonly method: string;
  readonly from: 'rest';
  readonly to: 'grpc' | 'abci';
  /** Which member cannot be carried, and why. */
  readonly reason: string;
}
