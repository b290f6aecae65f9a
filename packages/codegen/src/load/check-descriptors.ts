import { equals } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type EnumDescriptorProto,
  type FieldDescriptorProto,
  FieldDescriptorProto_Type,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

import { CodegenError } from '../codegen-error.js';
import { checkProtoPath, checkSiblings, shown } from './check-path.js';

/**
 * Checks every name of a descriptor set before it is used. Descriptors need not come from a compiler: a node may
 * contain any text where a compiler writes an identifier.
 *
 * @returns the files without comments and without duplicates
 * @throws CodegenError for a name that no compiler accepts, or if two files contradict each other
 */
export function checkDescriptors(files: readonly FileDescriptorProto[]): FileDescriptorProto[] {
  const byPath = new Map<string, FileDescriptorProto>();
  for (const file of files) {
    checkProtoPath(file.name, 'descriptor set: file');
    const other = byPath.get(file.name);
    if (other !== undefined && !equals(FileDescriptorProtoSchema, other, withoutSource(file))) {
      throw new CodegenError(`descriptor set: two files have the path ${file.name} and different content`);
    }
    if (other === undefined) byPath.set(file.name, withoutSource(file));
  }
  checkSiblings(byPath.keys());
  const symbols = new Symbols();
  for (const file of byPath.values()) new FileChecker(file, symbols).check();
  symbols.checkPackages();
  return [...byPath.values()];
}

/** Comments do not affect the interface, compilers may omit them, and no generated file may contain them. */
function withoutSource(file: FileDescriptorProto): FileDescriptorProto {
  if (file.sourceCodeInfo === undefined) return file;
  const copy = { ...file };
  delete copy.sourceCodeInfo;
  return copy;
}

/** Every declared name, with the file that declares it. */
class Symbols {
  readonly #declared = new Map<string, string>();
  readonly #packages = new Map<string, string>();

  declare(symbol: string, file: string): void {
    const other = this.#declared.get(symbol);
    if (other !== undefined) {
      const where = other === file ? `${file} declares ${symbol} twice` : `${other} and ${file} both declare ${symbol}`;
      throw new CodegenError(`${where}; rename one of them`);
    }
    this.#declared.set(symbol, file);
  }

  declarePackage(name: string, file: string): void {
    for (let part = name; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf('.')))) {
      if (!this.#packages.has(part)) this.#packages.set(part, file);
    }
  }

  checkPackages(): void {
    for (const [name, file] of this.#packages) {
      const other = this.#declared.get(name);
      if (other !== undefined) {
        throw new CodegenError(`${name} is a package in ${file} and a declaration in ${other}; rename one of them`);
      }
    }
  }
}

const identifier = /^[A-Za-z_]\w*$/;
const fullName = /^\.?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;
/** Longer names produce paths and lines that tools cannot process. */
const maxNameLength = 200;

class FileChecker {
  readonly #file: FileDescriptorProto;
  readonly #symbols: Symbols;

  constructor(file: FileDescriptorProto, symbols: Symbols) {
    this.#file = file;
    this.#symbols = symbols;
  }

  check(): void {
    const { package: packageName, dependency, syntax, messageType, enumType, extension, service } = this.#file;
    if (packageName !== '') this.#fullName(packageName, 'package');
    this.#symbols.declarePackage(packageName, this.#file.name);
    for (const path of dependency) checkProtoPath(path, `${this.#file.name}: import`);
    if (!['', 'proto2', 'proto3', 'editions'].includes(syntax)) {
      throw this.#fault('syntax', syntax, 'is not proto2, proto3 or editions');
    }
    for (const message of messageType) this.#message(message, packageName);
    for (const type of enumType) this.#enum(type, packageName);
    for (const field of extension) this.#extension(field, packageName);
    for (const { name, method } of service) {
      const scope = this.#declare(name, packageName, 'service');
      for (const each of method) {
        this.#declare(each.name, scope, 'method');
        this.#fullName(each.inputType, `request of ${scope}/${each.name}`);
        this.#fullName(each.outputType, `response of ${scope}/${each.name}`);
      }
    }
  }

  #message(message: DescriptorProto, outer: string): void {
    const scope = this.#declare(message.name, outer, 'message');
    const numbers = new Map<number, string>();
    for (const field of message.field) {
      this.#declare(field.name, scope, 'field');
      this.#field(field, `${scope}.${field.name}`);
      const other = numbers.get(field.number);
      if (other !== undefined) {
        throw new CodegenError(
          `${this.#file.name}: ${scope}.${other} and ${scope}.${field.name} both have the number ${field.number}`,
        );
      }
      numbers.set(field.number, field.name);
    }
    for (const { name } of message.oneofDecl) this.#declare(name, scope, 'oneof');
    for (const nested of message.nestedType) this.#message(nested, scope);
    for (const type of message.enumType) this.#enum(type, scope);
    for (const field of message.extension) this.#extension(field, scope);
    for (const name of message.reservedName) this.#identifier(name, `reserved name of ${scope}`);
  }

  #enum(type: EnumDescriptorProto, outer: string): void {
    const scope = this.#declare(type.name, outer, 'enum');
    if (type.value.length === 0) throw this.#fault('enum', scope, 'has no value');
    // The language declares the values of an enum in the scope around it.
    for (const { name } of type.value) this.#declare(name, outer, 'enum value');
    for (const name of type.reservedName) this.#identifier(name, `reserved name of ${scope}`);
  }

  #extension(field: FieldDescriptorProto, outer: string): void {
    const name = this.#declare(field.name, outer, 'extension');
    this.#field(field, name);
    this.#fullName(field.extendee, `extended message of ${name}`);
  }

  #field({ typeName, number, defaultValue, type }: FieldDescriptorProto, name: string): void {
    if (typeName !== '') this.#fullName(typeName, `type of ${name}`);
    if (number < 1 || number > 536_870_911) throw this.#fault('field', name, `has the number ${number}`);
    // A default of text or bytes may be anything; other defaults are a number or a name.
    const isText = type === FieldDescriptorProto_Type.STRING || type === FieldDescriptorProto_Type.BYTES;
    if (!isText && !/^(?:[-+\w.]*)$/.test(defaultValue)) {
      throw this.#fault(`default of ${name}`, defaultValue, 'is no number and no name');
    }
  }

  /** @returns the full name */
  #declare(name: string, scope: string, kind: string): string {
    this.#identifier(name, scope === '' ? kind : `${kind} of ${scope}`);
    const full = scope === '' ? name : `${scope}.${name}`;
    this.#symbols.declare(full, this.#file.name);
    return full;
  }

  #identifier(name: string, what: string): void {
    if (!identifier.test(name)) throw this.#fault(what, name, 'is no identifier');
    if (name.length > maxNameLength) throw this.#fault(what, name, `is longer than ${maxNameLength} characters`);
  }

  #fullName(name: string, what: string): void {
    if (!fullName.test(name)) throw this.#fault(what, name, 'is no name of identifiers with dots between them');
    if (name.length > 4 * maxNameLength)
      throw this.#fault(what, name, `is longer than ${4 * maxNameLength} characters`);
  }

  #fault(what: string, name: string, why: string): CodegenError {
    return new CodegenError(`${this.#file.name}: ${what}: ${shown(name)} ${why}`);
  }
}
