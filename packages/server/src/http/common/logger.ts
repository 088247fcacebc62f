import type { BaseLogger } from 'pino';

/** The part of pino that the HTTP side uses. No query, body or header is ever handed to it. */
export type Logger = Pick<BaseLogger, 'debug' | 'info' | 'warn' | 'error'>;
