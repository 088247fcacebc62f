import { writeFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { ImportError } from '../../onnx/import-error.js';
import { endWithParent } from '../../runtime/end-with-parent.js';
import { UploadRefused } from '../upload-refused.js';
import { convertUpload } from './convert-upload.js';
import type { ConvertReply, ConvertUpload } from './messages.js';

// The child of `importUpload`: one file from a stranger, one reply, and it is gone.
process.once('message', async (request: ConvertUpload) => {
  setPriority(10);
  // Should the machine run out of memory, this process is the one to end.
  await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined);
  const reply = await run(request);
  process.send?.(reply, () => process.exit());
});
process.once('disconnect', () => process.exit());
endWithParent();

async function run(request: ConvertUpload): Promise<ConvertReply> {
  try {
    await convertUpload(request);
    return { ok: true };
  } catch (error) {
    if (error instanceof UploadRefused || error instanceof ImportError)
      return { ok: false, refused: error.message };
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, refused: `the model cannot be read: ${reason.slice(0, 300)}` };
  }
}
