const maxLength = 60;

/** What a client sent, short enough to be told back. */
export function quote(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
