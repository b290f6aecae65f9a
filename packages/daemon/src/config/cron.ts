import { Cron } from 'croner';

const example = 'expected a cron expression of five fields (minute hour day month weekday), such as "30 3 * * *"';

/** What is wrong with a cron expression and what is allowed; `undefined` when it names times. */
export const cronFault = (text: string): string | undefined => {
  try {
    const cron = new Cron(text, { paused: true, mode: '5-part' });
    return cron.nextRun() === null ? `${example}; ${JSON.stringify(text)} never comes` : undefined;
  } catch (error) {
    return `${example}; ${JSON.stringify(text)} is none: ${(error as Error).message.replace(/^CronPattern: /, '')}`;
  }
};
