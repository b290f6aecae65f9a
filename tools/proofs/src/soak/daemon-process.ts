import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Levels, Order } from './orders.js';

/** The daemon in a child process, on a clock that advances only by `runTo`. */
export class DaemonProcess {
  readonly #child: ChildProcess;
  #logLines = 0;
  #tail = '';
  /** Base URL of its web server. */
  url = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#logLines += text.split('\n').length - 1;
      this.#tail = `${this.#tail}${text}`.slice(-4_000);
    });
  }

  /** @throws Error with the end of the log if the daemon does not start */
  static async start(config: unknown, startMs: number): Promise<DaemonProcess> {
    const isSource = import.meta.url.endsWith('.ts');
    const program = fileURLToPath(new URL(`./daemon-child.${isSource ? 'ts' : 'js'}`, import.meta.url));
    const loader = isSource ? ['--conditions=@hubwatch/source', '--import', 'tsx'] : [];
    const child = spawn(process.execPath, ['--expose-gc', ...loader, program], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const daemon = new DaemonProcess(child);
    try {
      const { url } = await daemon.#ask({ kind: 'start', config: JSON.stringify(config), startMs });
      daemon.url = url ?? '';
      return daemon;
    } catch (error) {
      daemon.kill();
      throw error;
    }
  }

  /** Number of log lines written so far. */
  get logLines(): number {
    return this.#logLines;
  }

  async runTo(untilMs: number): Promise<void> {
    await this.#ask({ kind: 'run', untilMs });
  }

  async measure(): Promise<Levels> {
    const { levels } = await this.#ask({ kind: 'measure' });
    if (levels === undefined) throw new Error('no levels');
    return levels;
  }

  /** @throws Error if the process does not exit on its own */
  async stop(): Promise<void> {
    const exit = once(this.#child, 'exit');
    await this.#ask({ kind: 'stop' });
    this.#child.disconnect();
    const [code] = (await exit) as [number | null];
    if (code !== 0) throw new Error(`the daemon ended with ${code} after its stop: ${this.#tail}`);
  }

  kill(): void {
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL');
  }

  #ask(order: Order): Promise<Answer> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        child.off('message', onMessage);
        child.off('exit', onExit);
      };
      const onMessage = (answer: Answer): void => {
        settle();
        if (answer.failure === undefined) resolve(answer);
        else reject(new Error(`${order.kind}: ${answer.failure}`));
      };
      const onExit = (code: number | null): void => {
        settle();
        reject(new Error(`the daemon ended with ${code} at ${order.kind}: ${this.#tail}`));
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      child.send(order);
    });
  }
}
