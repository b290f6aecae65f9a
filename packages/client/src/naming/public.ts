import { publicProfile } from '@hubwatch/types/gen/naming/public';
import type { Naming } from '@hubwatch/types/runtime/naming';
import { createNaming } from '@hubwatch/types/runtime/naming-profile';

/** Names of the public network. */
export const publicNaming: Naming = createNaming(publicProfile);
