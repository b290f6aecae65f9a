import type { DescFile } from '@bufbuild/protobuf';
import * as wellKnown from '@bufbuild/protobuf/wkt';
import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';

/** Whether a file belongs to protobuf itself: every compiler brings it, and no project holds it. */
export function isOfProtobuf(path: string): boolean {
  return path.startsWith('google/protobuf/');
}

/**
 * The files of a node, with protobuf's own as protobuf has them: nodes serve copies with options of their own build.
 */
export function withStandardFiles(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  return files.map((file) => (isOfProtobuf(file.name) ? (standardFiles.get(file.name) ?? file) : file));
}

/** Protobuf's own files as protobuf has them, by path. */
export const standardFiles: ReadonlyMap<string, FileDescriptorProto> = new Map(
  Object.values(wellKnown)
    .filter((value): value is DescFile => typeof value === 'object' && 'kind' in value && value.kind === 'file')
    .map(({ proto }) => [proto.name, proto]),
);
