import { redactText } from './redact.js';

const maxLength = 60;

/** What a client sent, short enough for an error message, and without a key that slipped in. */
export function quote(text: string): string {
  const shown = redactText(text);
  return shown.length > maxLength ? `${shown.slice(0, maxLength)}…` : shown;
}
