/** Notification from a connection, for logs and metrics. */
export interface ConnectionEvent {
  /** A REST call was sent over another transport, because no route of the gateway can carry its request. */
  readonly kind: 'rerouted';
  /** Neutral `<service>/<method>`. */
  readonly method: string;
  readonly from: 'rest';
  readonly to: 'grpc' | 'abci';
  /** Which member cannot be carried in the URL, and why. */
  readonly reason: string;
}
