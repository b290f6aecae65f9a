/**
 * Maximum number of requests per diagnosis: a complete diagnosis of a node with three open transports takes about 80.
 */
export const maxRequests = 120;

/** Counts the requests of a diagnosis, and ends it when the limit is reached. */
export interface Budget {
  /** @throws Error if the budget is exhausted */
  spend(requests?: number): void;
  spent(): number;
}

export const createBudget = (): Budget => {
  let spent = 0;
  return {
    spend(requests = 1) {
      if (spent + requests > maxRequests) throw new Error(`more than ${maxRequests} requests would be needed`);
      spent += requests;
    },
    spent: () => spent,
  };
};
