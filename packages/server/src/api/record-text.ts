/**
 * The fields of a kept record in the API's spelling, `min_score` for `minScore`, as JSON text. A record can have hundreds
 * of kilobytes: of 430 kB, parsing, rewriting and writing held the serving thread for 23 to 84 ms, this for 3 to 9.
 * Exact: a quote inside a JSON string is escaped, so a name between bare quotes before a colon is a field's.
 */
export function toFieldsText(record: string): string {
  return record.replace(/"[a-z]+(?:[A-Z][a-z]*)+":/g, (field) =>
    field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
}

/** One JSON object with the fields of both; each is the text of an object. */
export function joinObjects(first: string, second: string): string {
  if (first === '{}') return second;
  return second === '{}' ? first : `${first.slice(0, -1)},${second.slice(1)}`;
}
