import type { ChildProcess } from 'node:child_process';
import type { RandomSource } from '../random-source.js';
import type { Told } from './judge.js';
import type { Seen } from './seen.js';

/** A program that is killed again and again, on one configuration and one store. */
export interface Killed {
  /** Path of its store. */
  readonly store: string;
  /** What it writes of a state. */
  readonly alertOf: (seen: Seen) => Alerted;
  /** States that a message of its notices names. */
  readonly toldIn: (text: string) => readonly Told[];
  start(): ChildProcess;
  /** Resolves once a started process evaluates. */
  ready(child: ChildProcess): Promise<void>;
  /** Has a process evaluate the states of the world, or lets some time pass in which it does. */
  show(child: ChildProcess, seen: readonly Seen[]): Promise<void>;
  /** Silences a subject while a process runs. */
  silence(child: ChildProcess, subject: string): Promise<void>;
  close(): Promise<void>;
}

/** An alert as the program keeps it. */
export interface Alerted {
  readonly rule: string;
  readonly severity: string;
  readonly term: string;
  readonly title: string;
}

/** One kind of program, and what its world is like. */
export interface KilledKind {
  readonly name: string;
  /** So few that the short form of a notice about all of them lists each. */
  readonly subjects: readonly string[];
  /** Share of the subjects that change in one round. */
  readonly changeShare: number;
  /** Longest time that a server that is asked too often names, seconds. */
  readonly retryAfterS: number;
  /** Most rounds of a process before it is killed. */
  readonly rounds: number;
  /** Most milliseconds from the start of a process to its kill, where it is killed at its start. */
  readonly startMs: number;
  prepare(setting: Setting): Promise<Killed> | Killed;
}

export interface Setting {
  /** For its configuration and its store. */
  readonly folder: string;
  readonly notifiers: object;
  readonly random: RandomSource;
  readonly seen: () => readonly Seen[];
}
