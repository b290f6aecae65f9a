import type { Linked } from '../load/link.js';
import type { Spec } from '../load/spec-types.js';
import type { Model } from '../model/model.js';

export interface EmitInput {
  readonly model: Model;
  readonly linked: Linked;
  readonly spec: Spec;
}

export interface EmittedFile {
  /** Relative to the output folder, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Generates the files of one kind. */
export interface Emitter {
  readonly name: string;
  /** Emitted only if a project selects it. */
  readonly isExtra?: true;
  emit(input: EmitInput): readonly EmittedFile[] | Promise<readonly EmittedFile[]>;
}

/** Modules of the hand-written runtime, relative to the output folder. */
export const runtime = {
  carriers: '../runtime/carriers',
  defineTable: '../runtime/define-table',
  eventNames: '../runtime/event-names',
  table: '../runtime/table',
  values: '../runtime/values',
  method: '../runtime/method',
  msg: '../runtime/msg',
  grpcService: '../runtime/grpc-service',
  naming: '../runtime/naming',
  namingProfile: '../runtime/naming-profile',
  restUrl: '../runtime/rest-url',
  writeJson: '../runtime/write-json',
} as const;
