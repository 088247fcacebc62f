import type { CallOptions } from '../options.js';
import type { Call, Send } from '../service/call.js';

/** An answer whose body has no `fileid` of its own. */
export type WithFileId<Body> = Body & {
  /** For `files.read`; null when the header with it was lost on the way. */
  readonly fileid: string | null;
};

/** As `ask`, with the analysis' id from the header `X-File-Id` beside the fields of the body. */
export async function askWithFileId<Body>(
  send: Send,
  call: Call,
  options: CallOptions,
): Promise<WithFileId<Body>> {
  const { body, headers } = await send(call, options);
  return { ...(body as Body), fileid: headers.get('x-file-id') };
}
