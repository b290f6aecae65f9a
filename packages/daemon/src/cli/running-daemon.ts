import { systemClock } from '@hubwatch/client';
import { type App, startApp } from '../app.js';
import { changedKeys } from '../config/changed-keys.js';
import type { LoadedConfig } from '../config/load.js';
import { ConfigError } from '../config/problem.js';
import type { Config } from '../config/schema.js';
import type { Logger } from '../log.js';
import { noReloads, type Reloads } from '../own-metrics.js';

export interface RunningDaemonParts {
  /** Reads the configuration file. @throws ConfigError */
  readonly load: () => LoadedConfig;
  readonly logger: Logger;
}

/**
 * The daemon in this process. A reload is all or nothing: an invalid file changes nothing. A valid file stops the current
 * daemon and starts another with the same store, which contains alerts, silences, history and undelivered notices. If that
 * start fails, the previous configuration is used again.
 */
export class RunningDaemon {
  readonly #parts: RunningDaemonParts;
  #reloads: Reloads;
  #config: Config;
  #app: App;
  /** The reload in progress. Any number of requests during it cause one more reload. */
  #reloading: Promise<void> | undefined;
  #isRequested = false;
  #isClosed = false;
  #fail: (error: unknown) => void = () => undefined;
  readonly #failed = new Promise<never>((_, reject) => {
    this.#fail = reject;
  });

  private constructor(parts: RunningDaemonParts, config: Config, app: App, reloads: Reloads) {
    this.#parts = parts;
    this.#config = config;
    this.#app = app;
    this.#reloads = reloads;
    this.#failed.catch(() => undefined);
  }

  /** @throws Error if the daemon cannot start */
  static async start(loaded: LoadedConfig, parts: RunningDaemonParts): Promise<RunningDaemon> {
    const reloads = noReloads(systemClock.nowMs());
    const { logger } = parts;
    logWarnings(loaded, logger);
    const app = await startApp(loaded.config, { clock: systemClock, logger, reloads });
    return new RunningDaemon(parts, loaded.config, app, reloads);
  }

  address(): string {
    return this.#app.address();
  }

  isAlive(): boolean {
    return this.#reloading !== undefined || this.#app.isAlive();
  }

  /** Rejects if neither the new nor the previous configuration could be started. */
  failed(): Promise<never> {
    return this.#failed;
  }

  /**
   * Reads the configuration again and applies it if it is valid. Never rejects; the result is logged and exported as metrics.
   */
  async reload(): Promise<void> {
    this.#isRequested = true;
    this.#reloading ??= this.#reloadWhileRequested().finally(() => {
      this.#reloading = undefined;
    });
    await this.#reloading;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#reloading;
    await this.#app.close();
  }

  async #reloadWhileRequested(): Promise<void> {
    while (this.#isRequested && !this.#isClosed) {
      this.#isRequested = false;
      await this.#reloadOnce();
    }
  }

  async #reloadOnce(): Promise<void> {
    const { logger, load } = this.#parts;
    let loaded: LoadedConfig;
    try {
      loaded = load();
    } catch (error) {
      const problems = error instanceof ConfigError ? error.problems : [{ path: '', message: String(error) }];
      for (const { path, line, message } of problems) logger.error({ key: path, line, text: message }, 'configuration');
      this.#note(false, 'the file is invalid');
      return;
    }
    const keys = changedKeys(this.#config, loaded.config);
    logWarnings(loaded, logger);
    if (keys.length > 0 && !(await this.#replace(loaded.config))) return;
    this.#note(true, undefined, keys);
  }

  /**
   * Restarts the daemon with another configuration. Falls back to the current one. Resolves to whether the other one is in use.
   */
  async #replace(config: Config): Promise<boolean> {
    const { logger } = this.#parts;
    await this.#app.close();
    try {
      this.#app = await startApp(config, { clock: systemClock, logger, reloads: this.#reloads });
      this.#config = config;
      logger.level = config.log.level;
      return true;
    } catch (error) {
      logger.error({ err: error }, 'the new configuration could not be started');
    }
    try {
      this.#app = await startApp(this.#config, { clock: systemClock, logger, reloads: this.#reloads });
      this.#note(false, 'the daemon could not start with it');
    } catch (error) {
      this.#fail(error);
    }
    return false;
  }

  #note(isGood: boolean, reason: string | undefined, changed: readonly string[] = []): void {
    const { logger } = this.#parts;
    const { good, bad } = this.#reloads;
    if (isGood) {
      this.#reloads = { good: good + 1, bad, isLastGood: true, lastGoodMs: systemClock.nowMs() };
      logger.info({ changed }, changed.length === 0 ? 'configuration unchanged' : 'configuration reloaded');
    } else {
      this.#reloads = { ...this.#reloads, bad: bad + 1, isLastGood: false };
      logger.error({ reason }, 'configuration not reloaded; the previous one stays in use');
    }
    this.#app.showReloads(this.#reloads);
  }
}

const logWarnings = ({ warnings }: LoadedConfig, logger: Logger): void => {
  for (const { path, message, line } of warnings?.problems ?? [])
    logger.warn({ key: path, line, text: message }, 'configuration');
};
