import { JsonError, readJsonArrays as readArrays } from '../../../storage/archive/json-arrays.js';
import { FormatError } from './plan.js';

/** As that of `archive`, for annotations. Throws `FormatError`. */
export const readJsonArrays: typeof readArrays = async (...given) => {
  try {
    return await readArrays(...given);
  } catch (error) {
    throw error instanceof JsonError ? new FormatError(error.message, { cause: error }) : error;
  }
};
