import type { Alert } from '../alerts/alert.js';

/** Current state of alerts. */
export interface AlertsNow {
  /** Firing alerts that have been notified. */
  readonly firing: readonly Alert[];
  /** Alerts that ended recently, or whose end the recipient has not accepted yet; excludes alerts that fire again. */
  readonly ended: readonly Alert[];
  readonly nowMs: number;
}

/**
 * A service that gets the full set of firing alerts at every interval, instead of individual notices. The end of an alert is
 * sent until the service has accepted it, so that an alert that begins and ends during an outage is not lost.
 */
export interface Mirror {
  readonly name: string;
  /** Addresses that get the same alerts, each independent of the others. */
  readonly recipients: readonly string[];
  readonly everyMs: number;
  /** @throws DeliveryError */
  show(alerts: AlertsNow, recipient: string): Promise<void>;
}
