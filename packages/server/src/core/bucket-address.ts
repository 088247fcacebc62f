/** A bucket and the beginning of all keys that are ours in it. */
export interface BucketAddress {
  readonly bucket: string;
  /** Empty, or with a slash at its end. */
  readonly prefix: string;
}

const form = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,61}[a-z0-9])(?:\/(.*))?$/;
const segment = /^[A-Za-z0-9._=-]+$/;
/** Of a prefix, so that our longest key stays below the 1024 bytes of S3. */
const maxPrefixLength = 512;

/** Reads `s3://BUCKET/PREFIX`; what is wrong with it, in words that follow the name of the setting. */
export function readBucketAddress(text: string): BucketAddress | string {
  const [, bucket, rest = ''] = form.exec(text) ?? [];
  if (bucket === undefined) return 'must be an address such as s3://my-bucket/lynceus';
  const segments = rest.replace(/\/$/, '').split('/');
  if (rest === '' || rest === '/') return { bucket, prefix: '' };
  if (!segments.every((each) => segment.test(each) && each !== '.' && each !== '..'))
    return 'may have letters, digits and . _ = - between the slashes of its prefix';
  if (rest.length > maxPrefixLength) return `may have a prefix of ${maxPrefixLength} characters`;
  return { bucket, prefix: `${segments.join('/')}/` };
}

/** As people write it. */
export function showBucketAddress({ bucket, prefix }: BucketAddress): string {
  return `s3://${bucket}/${prefix}`.replace(/\/$/, '');
}
