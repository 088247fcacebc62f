import { Type } from 'typebox';

/** Where images and other bytes lie that are too large for the database. */
export const settingsOfBlobs = {
  blobs: Type.String({
    default: '',
    pattern: '^(s3://.+)?$',
    description:
      'Bucket of an S3 object store for images and custom models, as s3://BUCKET/PREFIX, the same for all services on one database; empty: folders of the data folder. Credentials come from where clients of Amazon have them: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, shared files, or the role of the machine.',
  }),
  blobsEndpoint: Type.String({
    default: '',
    pattern: '^(https?://[^/?#\\s@]+/?)?$',
    description:
      'Address of the object store, such as http://store.example:9000; empty: that of Amazon for the region.',
  }),
  blobsRegion: Type.String({
    default: 'us-east-1',
    pattern: '^[a-z0-9-]{1,60}$',
    description: 'Region of the bucket.',
  }),
  blobsPathStyle: Type.Boolean({
    default: true,
    description:
      'Whether the bucket is named in the path of addresses, as most stores want it, and not in the host.',
  }),
  blobsEncryption: Type.Union([Type.Literal(''), Type.Literal('AES256'), Type.Literal('aws:kms')], {
    default: '',
    description: 'How the object store is asked to encrypt each object; empty: as the bucket is set up.',
  }),
  blobsEncryptionKey: Type.String({
    default: '',
    pattern: '^[A-Za-z0-9:/_-]{0,200}$',
    description: 'Id of the key for aws:kms; empty: that of the account.',
  }),
  blobCacheMaxMb: Type.Integer({
    minimum: 1,
    default: 2048,
    description:
      'MiB of objects that are kept as files on this machine; what is being worked on stays above it.',
  }),
  modelCacheMaxMb: Type.Integer({
    minimum: 1,
    default: 4096,
    description:
      'MiB of versions of custom models from the bucket that are kept on this machine; those in use stay above it.',
  }),
};
