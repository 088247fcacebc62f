const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The five entities of XML itself and characters by their numbers; those that a document defines are left as they are written. */
export function unescapeXml(text: string | undefined): string | undefined {
  return text?.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (all, name, decimal, hex) => {
      if (typeof name === 'string') return entities[name.toLowerCase()] ?? all;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : all;
    },
  );
}
