export { type App, type AppOptions, startApp } from './app.js';
export { stopSignal } from './cli/stop-signal.js';
export { type Cancel, type Clock, systemClock } from '@hubwatch/client';
export { type DemoTime, demoClock } from './clock.js';
export { loadConfig, parseConfig } from './config/load.js';
export { ConfigError, type Problem } from './config/problem.js';
export type { Config } from './config/schema.js';
export { createLogger, type Logger, type LogLevel } from './log.js';
