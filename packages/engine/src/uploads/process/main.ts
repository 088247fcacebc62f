import { endWithParent } from '../../child-process/end-with-parent.js';
import { ImportError } from '../../onnx/import-error.js';
import { UploadRefused } from '../upload-refused.js';
import { convertUpload } from './convert-upload.js';
import type { ConvertReply, ConvertUpload } from './messages.js';

// The child of `importUpload`: one untrusted model, one reply, then it exits.
process.once('message', async (request: ConvertUpload) => {
  const reply = await run(request);
  process.send?.(reply, () => process.exit());
});
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
