/** HTML that is written already. Everything else is text, and escaped where it is put in. */
export class Markup {
  constructor(readonly html: string) {}
}

type Content = Markup | string | number | readonly Content[];

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Between tags, and in attributes that stand in quotation marks. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(parts.map((part, index) => part + written(contents[index] ?? '')).join(''));
}

function written(content: Content): string {
  if (content instanceof Markup) return content.html;
  if (typeof content === 'number') return String(content);
  // Control characters that no document may hold, and those that turn the text around them.
  if (typeof content === 'string') {
    return content
      .replace(/(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]/gu, '\ufffd')
      .replace(/[&<>"']/g, (character) => entities[character] ?? '');
  }
  return content.map(written).join('');
}
