import type { Compilable } from 'kysely';
import type { WriteResult } from '../storage/database.js';

/** Carries out one unit; whoever counts calls adds the count to it, and answers the results of these statements. */
export type CommitUnit = (statements: readonly Compilable[]) => Promise<readonly WriteResult[]>;
