import { CodegenError } from '../codegen-error.js';
import type { Model, DeclaredPlace } from '../model/model.js';

/** Location of the message or enum that `user` (a file or name, for the error message) requires. */
export function declaredPlaceOf(name: string, model: Model, user: string): DeclaredPlace {
  const place = model.places.get(name);
  if (!place) throw new CodegenError(`${user}: ${name} is used but not reached`);
  return place;
}
