/**
 * Reasons why a lease ends instead of being renewed, in the order in which the chain checks them, and what can be done in
 * advance.
 */
export const renewalBlockers = {
  policy_off: {
    means: 'the lease has no renewal policy',
    advice: 'The provider gives the lease a renewal policy, or starts another lease after its end.',
  },
  provider_inactive: {
    means: 'the provider is not active',
    advice: 'Set the provider active again and start its leases again: they ended when it went inactive.',
  },
  node_inactive: {
    means: 'the node is not active',
    advice: 'Let the node send its heartbeat. The provider has to start the leases that ended with the lapse again.',
  },
  term_out_of_bounds: {
    means: 'the length of the term is outside what governance allows now',
    advice: 'The provider renews it by message with an allowed number of hours.',
  },
  not_sold: {
    means: "the node sells no hours in the lease's denomination",
    advice: 'The node lists an hourly price in that denomination again.',
  },
  price_higher: {
    means: "the node's price is higher than that of the lease, which is the ceiling of the automatic renewal",
    advice: 'The node lowers its price, or the provider renews by message with a higher ceiling.',
  },
  policy_refuses: {
    means: "the renewal policy does not accept the node's price",
    advice: 'The provider gives the lease another policy, or the node another price.',
  },
  balance_short: {
    means: "the balance of the provider's account does not cover the new term",
    advice: "Put the rest on the provider's account before the term ends.",
  },
} as const;

export type RenewalBlocker = keyof typeof renewalBlockers;
