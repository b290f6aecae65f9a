/** Values of a series: a constant, or promtool's notation (`0x5 1x30`) with one sample per minute. */
export type Values = number | string;

/** Series of one daemon without scrape labels, by their text: `hub_endpoint_up{endpoint="own"}`. */
export type Series = Readonly<Record<string, Values>>;

/** Series for which an alert fires, and the changes to them for which it does not. */
export interface RuleCase {
  readonly alert: string;
  /** Description of the case, if an alert has several. */
  readonly about?: string;
  readonly fires: Series;
  /** Replacements for series of `fires`. */
  readonly quiet: Series;
  /** Labels of the alert in addition to the severity and the scrape labels. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Value of the condition, if the texts contain it. */
  readonly value?: number;
  /** Minutes after which it fires; by default the hold plus two minutes. */
  readonly atMinutes?: number;
  /** Minutes between two samples and evaluations, for a case that lasts for days. */
  readonly everyMinutes?: number;
}
