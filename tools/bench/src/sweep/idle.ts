// Does nothing beside a sweep until it is told to end: how late its timers are is what the machine does to any program.
import { watchTimers } from './measure.js';

const late = watchTimers();
process.stdin.once('data', () => {
  process.stdout.write(JSON.stringify(late()));
  process.exit();
});
process.stdout.write('\n');
