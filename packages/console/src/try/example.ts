import type { ChosenImage } from '../kit/image/image-input.js';
import { allParts, type PredictCall } from '../models/predict-call.js';

export const languages = ['curl', 'python', 'javascript'] as const;
export type Language = (typeof languages)[number];

/** The same call as code to paste. `key` is in the query, as the v1 interface defines it. */
export function writeExample(
  language: Language,
  {
    baseUrl,
    key,
    call,
    chosen,
  }: { baseUrl: string; key: string; call: PredictCall; chosen: ChosenImage | null },
): string {
  const url = addressOf(baseUrl, key, call, chosen);
  const file = chosen && 'file' in chosen ? chosen.file.name : 'image.jpg';
  return writers[language](url, chosen && 'url' in chosen ? null : file);
}

function addressOf(baseUrl: string, key: string, call: PredictCall, chosen: ChosenImage | null): string {
  const url = new URL(
    `${baseUrl}${call.kind === 'detect' ? '/predict/object_detection/' : '/predict/image'}`,
  );
  url.searchParams.set('apikey', key);
  if (call.kind === 'general') {
    if (call.parts.length < allParts.length) url.searchParams.set('parts', call.parts.join(','));
    if (call.predictType !== 'dense') url.searchParams.set('predicttype', call.predictType);
  } else {
    url.searchParams.set('model_id', call.modelId);
    if (call.kind === 'detect') url.searchParams.set('conf_thresh', String(call.confThresh));
  }
  if (chosen && 'url' in chosen) url.searchParams.set('url', chosen.url);
  return url.href;
}

/** `file` is null if the address of the image is in the query. */
const writers: Readonly<Record<Language, (url: string, file: string | null) => string>> = {
  curl: (url, file) =>
    file === null
      ? `curl -sS -X POST ${quoteShell(url)}`
      : `curl -sS -F ${quoteShell(`image=@"${escapeFormName(file)}"`)} ${quoteShell(url)}`,
  python: (url, file) =>
    [
      'import requests',
      '',
      ...(file === null
        ? [`answer = requests.post(${JSON.stringify(url)}, timeout=60)`]
        : [
            `with open(${JSON.stringify(file)}, "rb") as image:`,
            '    answer = requests.post(',
            `        ${JSON.stringify(url)},`,
            '        files={"image": image},',
            '        timeout=60,',
            '    )',
          ]),
      'answer.raise_for_status()',
      'print(answer.json())',
    ].join('\n'),
  javascript: (url, file) =>
    [
      ...(file === null
        ? [`const answer = await fetch(${JSON.stringify(url)}, { method: 'POST' });`]
        : [
            "import { openAsBlob } from 'node:fs';",
            '',
            'const form = new FormData();',
            `form.append('image', await openAsBlob(${JSON.stringify(file)}), ${JSON.stringify(file)});`,
            `const answer = await fetch(${JSON.stringify(url)}, { method: 'POST', body: form });`,
          ]),
      'if (!answer.ok) throw new Error(await answer.text());',
      'console.log(await answer.json());',
    ].join('\n'),
};

/** For a POSIX shell. */
function quoteShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Within curl's double quotes. */
function escapeFormName(name: string): string {
  return name.replaceAll('\\', '\\\\').replaceAll('"', '\\"');
}
