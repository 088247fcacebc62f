import type { UploadFiles } from '../files/unpack.js';
import { UploadRefused } from '../upload-refused.js';
import type { Net } from './net.js';

export function readTfjsNet(_name: string, _bytes: Uint8Array, _files: UploadFiles): Net {
  throw new UploadRefused('todo');
}
