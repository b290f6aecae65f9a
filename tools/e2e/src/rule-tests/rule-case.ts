/** Values of a series: one that stays, or the notation of promtool (`0x5 1x30`), a sample a minute. */
export type Values = number | string;

/** Series of one daemon without the labels of the scrape, by their text: `hub_endpoint_up{endpoint="own"}`. */
export type Series = Readonly<Record<string, Values>>;

/** Series under which an alert fires, and the change to them under which it does not. */
export interface RuleCase {
  readonly alert: string;
  /** What is special about it, where an alert has several cases. */
  readonly about?: string;
  readonly fires: Series;
  /** Replaces series of `fires`. */
  readonly quiet: Series;
  /** Labels of the alert besides the severity and those of the scrape. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Value of the condition, where the texts show it. */
  readonly value?: number;
  /** Minutes after which it fires; the hold and two minutes more where it is not given. */
  readonly atMinutes?: number;
  /** Minutes between two samples and evaluations, where the case lasts for days. */
  readonly everyMinutes?: number;
}
