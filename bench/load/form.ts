export interface Form {
  readonly headers: { readonly 'content-type': string };
  readonly body: Buffer;
}

const boundary = 'lynceus-load-boundary';

/** A form with one part. */
export function formOf(part: Buffer | string, disposition = 'name="image"; filename="picture.jpg"'): Form {
  const head = `--${boundary}\r\ncontent-disposition: form-data; ${disposition}\r\n\r\n`;
  return {
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([Buffer.from(head), Buffer.from(part), Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}
