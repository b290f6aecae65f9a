import { CodegenError } from '../codegen-error.js';
import type { SpecMember } from './spec.js';
import type { YamlFile } from './yaml-file.js';

/** A fact of the spec that contradicts the proto files or another fact. */
export class SpecError extends CodegenError {
  override readonly name = 'SpecError';
  readonly member: SpecMember;
  readonly keys: readonly (string | number)[];
  readonly what: string;

  /** @param keys location in the file of `member` */
  constructor(member: SpecMember, keys: readonly (string | number)[], what: string) {
    super(`${member}: ${what}`);
    this.member = member;
    this.keys = keys;
    this.what = what;
  }

  /** The same error, with file and line. */
  located(files: Readonly<Partial<Record<SpecMember, YamlFile>>>): CodegenError {
    const place = files[this.member]?.place(this.keys) ?? `${this.member} (no file of the spec)`;
    return new CodegenError(`${place}: ${this.what}`, { cause: this });
  }
}
