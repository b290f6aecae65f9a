import type { DescFile } from '@bufbuild/protobuf';
import * as wellKnown from '@bufbuild/protobuf/wkt';
import type { FileDescriptorProto } from '@bufbuild/protobuf/wkt';

/** Whether a file belongs to protobuf itself: every compiler includes it, and no project contains it. */
export function isOfProtobuf(path: string): boolean {
  return path.startsWith('google/protobuf/');
}

/**
 * The files of a node with protobuf's own files replaced by the originals: nodes serve copies with options of their
 * build.
 */
export function withStandardFiles(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  return files.map((file) => (isOfProtobuf(file.name) ? (standardFiles.get(file.name) ?? file) : file));
}

/** Original files of protobuf, by path. */
export const standardFiles: ReadonlyMap<string, FileDescriptorProto> = new Map(
  Object.values(wellKnown)
    .filter((value): value is DescFile => typeof value === 'object' && 'kind' in value && value.kind === 'file')
    .map(({ proto }) => [proto.name, proto]),
);
