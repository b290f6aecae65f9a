/** A target architecture of the packages. */
export interface Architecture {
  /** Debian's name. */
  readonly debian: 'amd64' | 'arm64';
  /** Name in Node and npm. */
  readonly node: 'x64' | 'arm64';
  /** `e_machine` in the header of an ELF file. */
  readonly elfMachine: number;
}

export const architectures: readonly Architecture[] = [
  { debian: 'amd64', node: 'x64', elfMachine: 62 },
  { debian: 'arm64', node: 'arm64', elfMachine: 183 },
];
