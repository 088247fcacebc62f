/** With a large letter: the service's messages begin with a small one. */
export function toSentence(text: string): string {
  const [first = '', ...rest] = text;
  return first.toUpperCase() + rest.join('');
}
