import { any } from './any.js';
import type { Emitter } from './emitter.js';
import { forms } from './forms.js';
import { messages } from './messages.js';
import { methods } from './methods.js';
import { registry } from './registry.js';

/** Every emitter. A new one is one file and one line here. */
export const emitters: readonly Emitter[] = [messages, forms, any, methods, registry];
