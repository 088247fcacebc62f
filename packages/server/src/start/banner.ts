interface BannerInput {
  /** Such as `http://127.0.0.1:8080`, path prefix included. */
  readonly address: string;
  /** A link that makes the administrator; null when there is one. */
  readonly welcome: string | null;
  /** The first key when it was made just now. */
  readonly firstKey: string | null;
  /** Where the first key is kept; null when it was read away. */
  readonly firstKeyPath: string | null;
  readonly samplePath: string;
}

/** What a person sees when the service is ready: where it is, the key, and a line to paste. */
export function formatBanner({ address, welcome, firstKey, firstKeyPath, samplePath }: BannerInput): string {
  const lines = ['', `Lynceus is ready at ${address}`, ''];
  if (welcome) {
    lines.push('Make yourself the administrator, by a link that works once:', '', `  ${welcome}`, '');
  }
  if (firstKey) {
    lines.push('Your API key, shown this once:', '', `  ${firstKey}`, '');
    if (firstKeyPath)
      lines.push(`It is also kept in ${firstKeyPath} until you run: npm run -s lynceus -- keys first`, '');
  }
  const key = firstKey ?? (firstKeyPath ? `$(cat '${quotable(firstKeyPath)}')` : 'YOUR_KEY');
  lines.push(
    key === 'YOUR_KEY'
      ? 'Try it (a new key: npm run -s lynceus -- keys create --account default):'
      : 'Try it:',
    '',
    `  curl -sS -F 'image=@${quotable(samplePath)}' "${address}/predict/image?apikey=${key}"`,
    '',
  );
  return lines.join('\n');
}

/** What a service prints that has no API. */
export function formatRolesBanner(roles: string, address: string): string {
  return `\nLynceus is ready with the roles ${roles}; its state is at ${address}/readyz\n`;
}

function quotable(path: string): string {
  return path.replaceAll("'", `'\\''`);
}
