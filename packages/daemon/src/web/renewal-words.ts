/**
 * When a lease renews itself, by the short text of its policy. The automatic renewal takes the old price as its ceiling, so
 * that policies which ask for a higher price never come to it (hub-messages §5.3).
 */
const words: Readonly<Record<string, string>> = {
  unspecified: 'does not renew itself',
  if_lesser: 'renews if the price is lower',
  if_lesser_or_equal: 'renews unless the price is higher',
  if_equal: 'renews if the price is the same',
  if_not_equal: 'renews if the price is lower',
  if_greater: 'does not renew itself',
  if_greater_or_equal: 'renews if the price is the same',
  always: 'renews unless the price is higher',
};

export const renewalWords = (policy: string): string => words[policy] ?? `renewal policy ${policy}`;
