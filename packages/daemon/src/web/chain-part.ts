import { counted, cut, span } from '../words.js';
import { type Html, html } from './html.js';
import { clockOf } from './page-time.js';
import type { StatusView } from './status-view.js';

/** Parameters that affect money and activity, most requested first; JSON has all of them. */
const shown = [
  'node.status_timeout',
  'node.min_hourly_prices',
  'node.min_gigabyte_prices',
  'lease.max_hours',
  'lease.staking_share',
  'session.status_timeout',
  'session.staking_share',
  'subscription.staking_share',
] as const;
const proposalsShown = 5;

/** Main parameters, the planned upgrade and open proposals. `undefined` until one of them was read. */
export const chainPart = ({ governance, now }: StatusView): Html | undefined => {
  const { parameters, proposals, prices = [] } = governance;
  if (parameters === undefined && proposals === undefined && !governance.isUpgradeKnown) return undefined;
  const priced = prices.filter(({ priceHeight }) => priceHeight !== '0').length;
  return html`<h2>Chain</h2><table class="cards"><tbody>${upgradeRow(governance, now)}${proposalRows(proposals, now)}${
    parameters && parametersRow(parameters)
  }${
    prices.length === 0
      ? undefined
      : html`<tr><td class="who"><strong>Oracle</strong></td><td class="wide">${counted(prices.length, 'asset')}, ${priced === 0 ? 'none with a price yet: prices are charged as quoted' : `${priced} with a price`}</td></tr>`
  }</tbody></table>`;
};

const upgradeRow = ({ upgrade, isUpgradeKnown }: StatusView['governance'], now: string): Html => {
  const text = !isUpgradeKnown
    ? html`<span class="warn">not read</span>`
    : upgrade === undefined
      ? html`none planned`
      : html`<strong>${upgrade.name}</strong> at height ${upgrade.height}${
          upgrade.blocksLeft === undefined
            ? html`, <strong class="warn">reached</strong>`
            : html`, ${upgrade.blocksLeft} blocks from now`
        }${
          upgrade.expected === undefined || upgrade.secondsLeft === undefined
            ? undefined
            : html`: about <strong>${span(upgrade.secondsLeft * 1_000)}</strong>, ${clockOf(upgrade.expected, now)} <span class="soft">by the last ${upgrade.windowBlocks} blocks</span>`
        }${upgrade.programs.map(
          ({ endpoint, isPresent, text: where }) =>
            html`<div class="${isPresent === undefined ? 'warn' : isPresent ? 'good' : 'bad'}">${endpoint}: ${isPresent === undefined ? where : isPresent ? 'the program is there' : `no program in ${where}`}</div>`,
        )}`;
  return html`<tr><td class="who"><strong>Upgrade</strong></td><td class="wide">${text}</td></tr>`;
};

type Proposals = StatusView['governance']['proposals'];

const proposalRows = (proposals: Proposals, now: string): Html => {
  const left = (proposals?.length ?? 0) - proposalsShown;
  const text =
    proposals === undefined
      ? html`<span class="warn">not read</span>`
      : proposals.length === 0
        ? html`none about parameters, the oracle or an upgrade`
        : html`${proposals
            .slice(0, proposalsShown)
            .map(
              ({ id, stage, title, ends, effects }) =>
                html`<details id="proposal-${id}"><summary>${id}: ${cut(title, 120)} <span class="${stage === 'voting' ? 'warn' : 'soft'}">${stage === 'voting' ? 'voting' : 'collects its deposit'}${ends && html` until ${clockOf(ends, now)}`}</span></summary><ul>${effects.slice(0, 3).map((effect) => html`<li>${cut(effect, 200)}</li>`)}</ul></details>`,
            )}${left > 0 ? html`<span class="soft">and ${counted(left, 'proposal')} more</span>` : undefined}`;
  return html`<tr><td class="who"><strong>Proposals</strong></td><td class="wide">${text}</td></tr>`;
};

const parametersRow = (all: NonNullable<StatusView['governance']['parameters']>): Html => {
  const known = shown.flatMap((name) => (all[name] === undefined ? [] : [{ name, ...all[name] }]));
  return html`<tr><td class="who"><strong>Parameters</strong></td><td class="wide"><details id="parameters"><summary>${known
    .filter(({ name }) => name === 'node.status_timeout' || name === 'lease.max_hours')
    .map(({ value, is }, index) => html`${index === 0 ? '' : ', '}${is}: ${value}`)}</summary><ul>${known.map(
    ({ name, is, value }) => html`<li>${is}: <strong>${cut(value, 160)}</strong> <code>${name}</code></li>`,
  )}</ul></details></td></tr>`;
};
