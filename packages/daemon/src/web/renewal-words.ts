/**
 * When a lease is renewed automatically, by the short name of its policy. The chain refuses an automatic renewal above
 * the old price, so policies that require a higher price never renew.
 */
const words: Readonly<Record<string, string>> = {
  unspecified: 'is not renewed automatically',
  if_lesser: 'renews if the price is lower',
  if_lesser_or_equal: 'renews unless the price is higher',
  if_equal: 'renews if the price is the same',
  if_not_equal: 'renews if the price is lower',
  if_greater: 'is not renewed automatically',
  if_greater_or_equal: 'renews if the price is the same',
  always: 'renews unless the price is higher',
};

export const renewalWords = (policy: string): string => words[policy] ?? `renewal policy ${policy}`;
