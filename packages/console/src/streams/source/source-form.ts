import type { UseFormReturnType } from '@mantine/form';
import type { SourceValues } from './source-values.js';

/** Where the frames come from, while somebody fills it in. */
export type SourceForm = UseFormReturnType<SourceValues>;
