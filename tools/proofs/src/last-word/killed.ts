import type { ChildProcess } from 'node:child_process';
import type { RandomSource } from '../random-source.js';
import type { Told } from './judge.js';
import type { Seen } from './seen.js';

/** A program that is killed repeatedly, with one configuration and one store. */
export interface Killed {
  /** Path of its store. */
  readonly store: string;
  /** The stored alert for a state. */
  readonly alertOf: (seen: Seen) => Alerted;
  /** Extracts the states named in a notification's message. */
  readonly toldIn: (text: string) => readonly Told[];
  start(): ChildProcess;
  /** Resolves once a started process evaluates rules. */
  ready(child: ChildProcess): Promise<void>;
  /** Makes a process evaluate the states of the world, or waits while it does so. */
  show(child: ChildProcess, seen: readonly Seen[]): Promise<void>;
  /** Silences a subject while a process is running. */
  silence(child: ChildProcess, subject: string): Promise<void>;
  close(): Promise<void>;
}

/** An alert as stored by the program. */
export interface Alerted {
  readonly rule: string;
  readonly severity: string;
  readonly term: string;
  readonly title: string;
}

/** A kind of program, and the parameters of its world. */
export interface KilledKind {
  readonly name: string;
  /** Few enough that the short form of a notification about all of them lists each one. */
  readonly subjects: readonly string[];
  /** Share of the subjects that change per round. */
  readonly changeShare: number;
  /** Longest `Retry-After` of a rate-limiting server, in seconds. */
  readonly retryAfterS: number;
  /** Maximum number of rounds of a process before it is killed. */
  readonly rounds: number;
  /** Maximum time in milliseconds from the start of a process to its kill, if it is killed at its start. */
  readonly startMs: number;
  prepare(setting: Setting): Promise<Killed> | Killed;
}

export interface Setting {
  /** Folder for its configuration and store. */
  readonly folder: string;
  readonly notifiers: object;
  readonly random: RandomSource;
  readonly seen: () => readonly Seen[];
}
