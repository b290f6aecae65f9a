/** An architecture for which packages are built. */
export interface Architecture {
  /** Name that Debian uses. */
  readonly debian: 'amd64' | 'arm64';
  /** Name that Node and npm use. */
  readonly node: 'x64' | 'arm64';
  /** `e_machine` in the header of an ELF file. */
  readonly elfMachine: number;
}

export const architectures: readonly Architecture[] = [
  { debian: 'amd64', node: 'x64', elfMachine: 62 },
  { debian: 'arm64', node: 'arm64', elfMachine: 183 },
];
