/** First height of every hub v12 chain. */
export const firstHeight = 901_801n;
