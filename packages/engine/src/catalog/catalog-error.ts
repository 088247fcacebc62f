/**
 * A model that cannot be listed, fetched, converted or bundled. The message names the model and says what to fix;
 * it is written for the user of the command line.
 */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  constructor(
    message: string,
    /** The model concerned, if it concerns one. */
    readonly modelId?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What to do on a machine that cannot reach a source. */
export const howToBringModels =
  'No network here? On a machine with one run `npm run -s lynceus -- models export models.tar`, ' +
  'copy models.tar here and run `npm run -s lynceus -- models import models.tar`.';
