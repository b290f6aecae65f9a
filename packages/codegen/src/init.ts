import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { CodegenError } from './codegen-error.js';
import { listFiles } from './list-files.js';
import { configName } from './project/project.js';

export interface InitReport {
  /** Paths relative to the folder. */
  readonly written: readonly string[];
}

/** Usual folders of proto files, most common first. */
const usualFolders = ['proto', 'protos', 'api'];

/**
 * Writes the files that a new user needs to generate: a configuration file, a small spec, and an example if there are
 * no proto files yet.
 *
 * @param protos folders with proto files; default: the first usual folder that contains any
 * @throws CodegenError when a file exists already; then nothing was written
 */
export async function init(folder: string, protos?: readonly string[]): Promise<InitReport> {
  const found = protos ?? (await findProtos(folder));
  const files = new Map([
    [configName, configText(found ?? ['proto'])],
    ['spec/availability.yaml', availabilityText],
    ['spec/any.yaml', anyText],
  ]);
  if (found === undefined) files.set('proto/example/v1/example.proto', exampleText);
  const there = [...files.keys()].filter((path) => existsSync(join(folder, path)));
  if (there.length > 0) {
    const are = there.length > 1 ? 'are' : 'is';
    throw new CodegenError(
      `${there.join(', ')} ${are} there already; init overwrites nothing. Move them or edit them.`,
    );
  }
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // Fails if another program has just created the file.
    await writeFile(join(folder, path), text, { flag: 'wx' });
  }
  return { written: [...files.keys()] };
}

async function findProtos(folder: string): Promise<string[] | undefined> {
  for (const name of usualFolders) {
    if ((await listFiles(join(folder, name))).some((path) => path.endsWith('.proto'))) return [name];
  }
  return undefined;
}

function configText(protos: readonly string[]): string {
  const list = protos.length === 1 ? ` ${protos[0]}` : protos.map((path) => `\n  - ${path}`).join('');
  return `# yaml-language-server: $schema=./node_modules/@hubwatch/codegen/schema/config.json
# What hubwatch-codegen reads and writes. Paths are relative to this file; options of the command line win over it.

# Folders with proto files. Imports are resolved from each of them, so each holds the files under their import paths.
protos:${list}

# Instead of protos: a FileDescriptorSet with all imports (protoc --include_imports -o api.binpb FILES, or buf build -o).
# descriptors: api.binpb

# What the proto files cannot say: which methods are served where, and what an Any may hold. Leave it out to have every
# method served as its proto file says.
spec: spec

# Folder of the generated files. Nothing else may stand in it.
output: src/gen

# SHA-256 of every input: with it, generate refuses inputs that nobody accepted with --lock.
# lock: hubwatch-codegen.lock.json

# Where names on the wire differ from those of the proto files.
# naming: naming.json

# What the generated files import their codecs from: a package, or a folder when it starts with a dot.
# runtime: '@hubwatch/types/runtime'

# What is emitted. Default: all but messages (the wire types of ts-proto); "all" includes them.
# emitters: [forms, any, methods, rest, registry]
`;
}

const availabilityText = `# yaml-language-server: $schema=../node_modules/@hubwatch/codegen/schema/spec/availability.json
# Which methods are served on which transport. A line says \`served\` or names an entry of \`unserved\`; a call that is not
# served does not compile, and the compiler says the reason.

# Of every method without a line of its own. by_rule: served where the proto file gives the method an HTTP rule.
defaults: { grpc: served, rest: by_rule, abci: no-chain }

unserved:
  no-chain:
    kind: not_routed
    # The rest of a sentence that begins with the method.
    reason: is not a query of a chain
    replacement: { same_method_over: [grpc] }

# Lines of single methods, for example:
#   example.v1.ExampleService:
#     GetThing: { rest: retired }
services: {}
`;

const anyText = `# yaml-language-server: $schema=../node_modules/@hubwatch/codegen/schema/spec/any.json
# What a google.protobuf.Any may hold. A field without a line may hold anything.
partial: true

# For example:
#   example.v1.Detail:
#     implementations: [example.v1.Text, example.v1.Picture]
interfaces: {}

# For example:
#   example.v1.Thing.detail: example.v1.Detail
fields: {}
`;

const exampleText = `syntax = "proto3";

package example.v1;

import "google/protobuf/any.proto";
import "google/protobuf/timestamp.proto";

service ExampleService {
  rpc GetThing(GetThingRequest) returns (GetThingResponse);
}

message GetThingRequest {
  string name = 1;
}

message GetThingResponse {
  Thing thing = 1;
}

message Thing {
  string name = 1;
  uint64 weight_grams = 2;
  google.protobuf.Timestamp made_at = 3;
  google.protobuf.Any detail = 4;
}
`;
