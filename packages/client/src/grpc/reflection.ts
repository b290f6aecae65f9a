import type { TransportOptions } from '../options.js';

export declare function listServices(options: Omit<TransportOptions, 'naming'>): Promise<string[]>;
