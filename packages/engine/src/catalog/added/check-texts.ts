/** What an operator writes about a model, as it is shown in tables, pages and answers. */
interface ModelTexts {
  readonly title?: string | undefined;
  readonly licence: { readonly stated: string; readonly text?: string | undefined };
}

const maxTitleLength = 200;
const maxLicenceNameLength = 100;
const maxLicenceTextLength = 200_000;

/** What is wrong with a title, a licence's name or its text; undefined where nothing is. Spaces around a title or name do not count. */
export function textProblem({ title, licence: { stated, text } }: ModelTexts): string | undefined {
  if (title !== undefined) {
    if (!hasLength(title, maxTitleLength)) return `a title has 1 to ${maxTitleLength} characters`;
    if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(title)) return 'a title has no control characters and no line breaks';
  }
  if (stated.trim() === '') return 'a model needs a licence: its SPDX identifier, its name, or "unknown"';
  if (!hasLength(stated, maxLicenceNameLength))
    return `the name of a licence has up to ${maxLicenceNameLength} characters; give its text as --licence-file`;
  if (/[\p{Cc}\p{Zl}\p{Zp}]/u.test(stated))
    return 'the name of a licence has no control characters and no line breaks';
  if (text === undefined) return undefined;
  if (text.trim() === '' || text.length > maxLicenceTextLength)
    return `the text of a licence has 1 to ${maxLicenceTextLength} characters`;
  // Tabs and form feeds are in the texts of the GPL and the Artistic Licence.
  const control = text.replace(/[\n\r\t\f]/g, '').search(/\p{Cc}/u);
  return control < 0 ? undefined : 'the text of a licence has no control characters but line breaks and tabs';
}

function hasLength(text: string, maxLength: number): boolean {
  const length = [...text.trim()].length;
  return length > 0 && length <= maxLength;
}
