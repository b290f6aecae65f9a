// Idle program that runs during a sweep until it is stopped: the delay of its timers shows the machine's effect on any program.
import { watchTimers } from './measure.js';

const late = watchTimers();
process.stdin.once('data', () => {
  process.stdout.write(JSON.stringify(late()));
  process.exit();
});
process.stdout.write('\n');
