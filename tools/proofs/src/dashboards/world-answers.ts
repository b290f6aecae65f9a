import type { QueryHandler } from '@hubwatch/devnode';

/** Answers about what the recorded day has none of. */
export const worldAnswers: readonly QueryHandler[] = [];
