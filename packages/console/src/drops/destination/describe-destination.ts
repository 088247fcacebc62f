import type { DropDestination } from '@lynceus/client';

/** Where files go, in a few letters: a host, a bucket, an address, a folder. */
export function describeDestination(destination: DropDestination): string {
  switch (destination.kind) {
    case 'ftp':
    case 'ftps':
    case 'sftp':
      return `${destination.host}${folderPart(destination.folder)}`;
    case 's3':
      return `${destination.bucket}${folderPart(destination.prefix)}`;
    case 'http':
      return destination.address;
    case 'folder':
      return destination.folder;
  }
}

function folderPart(folder = ''): string {
  return folder === '' ? '' : `/${folder.replace(/^\//, '')}`;
}
