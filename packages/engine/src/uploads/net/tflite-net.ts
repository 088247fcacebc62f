import type { UploadLimits } from '../limits.js';
import { UploadRefused } from '../upload-refused.js';
import type { Net } from './net.js';

export async function readTfliteNet(_bytes: Uint8Array, _limits: UploadLimits): Promise<Net> {
  throw new UploadRefused('todo');
}
