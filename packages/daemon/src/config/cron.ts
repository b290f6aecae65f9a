import { Cron } from 'croner';

const example = 'expected a cron expression of five fields (minute hour day month weekday), such as "30 3 * * *"';

/** What is wrong with a cron expression and what is allowed; `undefined` when it names times. */
export const cronFault = (text: string): string | undefined => {
  // Whatever else was written here by mistake is not repeated.
  const isShown = text.length <= 40 && !/\w{10}|@\w+\W/.test(text);
  const got = isShown ? `${JSON.stringify(text)} ` : 'the text ';
  try {
    const cron = new Cron(text, { paused: true, mode: '5-part' });
    return cron.nextRun() === null ? `${example}; ${got}never comes` : undefined;
  } catch (error) {
    const why = isShown ? `: ${(error as Error).message.replace(/^CronPattern: /, '')}` : '';
    return `${example}; ${got}is not one${why}`;
  }
};
