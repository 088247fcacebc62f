import { mkdtemp, rename, rm, stat, symlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { settleFile, syncFolder } from '../../storage/durable-folder.js';
import { hasRoomFor } from './disk-room.js';
import type { Exiftool } from './exiftool.js';
import type { FileKind } from './file-kind.js';
import { KeywordError } from './keyword-error.js';
import { createKeywordForms, type FormOf, prepareForms } from './keyword-forms.js';
import type { KeywordSettings } from './keyword-settings.js';
import { cleanKeyword, cutKeyword } from './keyword-text.js';
import { keywordTarget, type MetadataTarget } from './metadata-target.js';
import { type KeywordState, readKeywords } from './read-keywords.js';
import {
  type Additions,
  missingFrom,
  planAdditions,
  uniteKeywords,
  withoutGuesses,
} from './unite-keywords.js';

/** In each of the two places; more than anyone wrote, and comparing more would hold the event loop. */
const maxStoredKeywords = 500;

export interface WriteRequest {
  /** Absolute; the file is never changed. */
  readonly inputPath: string;
  readonly kind: FileKind;
  /** Absolute, on the disk where the service works; the sidecar, where there is one, gets `.xmp` behind it. */
  readonly outputPath: string;
  /** As `chooseKeywords` gives them. */
  readonly keywords: readonly string[];
  readonly rawFiles: KeywordSettings['rawFiles'];
  readonly maxFileBytes: number;
}

export interface Output {
  readonly role: 'image' | 'sidecar';
  /** Mode 0600, on disk for good. */
  readonly path: string;
}

export interface Written {
  /** Null: not an image, and nothing was written. */
  readonly field: MetadataTarget | null;
  /** All that are there now, those that were there before first; as they were read back. */
  readonly keywords: readonly string[];
  /** Of them, those that were not there before. */
  readonly added: readonly string[];
  /** What was made. Where there is no image among it, the input is what is to be sent on. */
  readonly outputs: readonly Output[];
}

/**
 * Adds keywords to a copy of an image, or writes a sidecar, and reads back what is there. Throws `KeywordError`, the signal's
 * reason, and errors of the disk; then there is no output.
 */
export async function writeKeywords(
  exiftool: Exiftool,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<Written> {
  const target = keywordTarget(request.kind, request.rawFiles);
  if (!target) return { field: null, keywords: [], added: [], outputs: [] };
  await checkInput(request);
  // exiftool leaves half a file behind when it is ended, and obeys no umask of ours: both stay in a folder of their own.
  const workDir = await mkdtemp(join(dirname(request.outputPath), '.keywords-'));
  try {
    const source = join(workDir, `source.${target.extension}`);
    await symlink(request.inputPath, source);
    // Dear for a large file; raw formats are the ones that we have no files of to try.
    const withHash = request.kind.kind === 'raw' && target.metadataTarget !== 'sidecar';
    const formOf = createKeywordForms();
    const before = await readKeywords(exiftool, source, withHash, signal);
    checkCount(before);
    await prepareForms(formOf, [...before.iptc, ...before.xmp]);
    const plan = planAdditions({ ...before, xmp: before.xmpOfAll }, request.keywords, formOf);
    // exiftool reads BigTIFF and cannot write it.
    const field = before.fileType === 'BTF' ? 'sidecar' : target.metadataTarget;
    const keywords = uniteKeywords(before, formOf);
    if (plan.added.length === 0) return { field, keywords, added: [], outputs: [] };
    const all = uniteKeywords({ iptc: keywords, xmp: plan.added }, formOf);
    const made = field === 'sidecar' ? 'written.xmp' : `written.${target.extension}`;
    const written = join(workDir, made);
    const write = async (changes: readonly string[]): Promise<KeywordState> => {
      await rm(written, { force: true });
      // `%d` is exiftool's own word for the source's folder: a folder's name with a percent sign in it would be expanded.
      await runWrite(exiftool, [...changes, '-o', `%d${made}`, source], join(workDir, 'probe'), signal);
      await settleFile(written).catch(explainMissing);
      const after = await readKeywords(exiftool, written, withHash, signal);
      await prepareForms(formOf, [...after.iptc, ...after.xmp]);
      return after;
    };
    const certain = withoutGuesses(before, all, formOf);
    let args = field === 'sidecar' ? sidecarArgs(certain) : imageArgs(field, plan, before);
    let after = await write(args);
    if (field !== 'sidecar' && after.hasSecondXmp) {
      // XMP behind a header that exiftool reads and does not change: what it adds stands in a second XMP, where other programs
      // look, so that this gets all keywords.
      args = imageArgs(field, { ...plan, wholeXmp: certain }, before);
      after = await write(args);
    }
    const expected = {
      xmp: certain,
      iptc:
        field === 'iptc+xmp' ? all.filter((text) => before.encoding.encode(cutKeyword(text)) !== null) : [],
    };
    // IPTC whose records are out of order is left as it is, with a mere warning.
    if (countLost(expected, after, formOf) > 0) after = await write(['-m', ...args]);
    checkKept(countLost(expected, after, formOf), field, before, after);
    signal.throwIfAborted();
    const output: Output =
      field === 'sidecar'
        ? { role: 'sidecar', path: `${request.outputPath}.xmp` }
        : { role: 'image', path: request.outputPath };
    await rename(written, output.path);
    await syncFolder(dirname(output.path));
    return { field, keywords: uniteKeywords(after, formOf), added: plan.added, outputs: [output] };
  } finally {
    await rm(workDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** @param plan `wholeXmp`: what XMP is to hold, in place of what is added to it */
function imageArgs(
  field: 'iptc+xmp' | 'xmp',
  plan: Additions & { readonly wholeXmp?: readonly string[] },
  state: KeywordState,
): string[] {
  const whole = plan.wholeXmp?.map(cleanKeyword).filter((keyword) => keyword !== '');
  const xmp =
    whole?.map((keyword) => `-XMP-dc:Subject=${keyword}`) ??
    plan.toXmp.map((keyword) => `-XMP-dc:Subject+=${keyword}`);
  if (field === 'xmp') return xmp;
  const { encoding, hasDigest } = state;
  const texts = plan.toIptc.map((keyword) => encoding.encode(keyword)).filter((text) => text !== null);
  const isMarked =
    encoding.utf8Mark === 'always' || (encoding.utf8Mark === 'if-needed' && !texts.every(isAscii));
  return [
    ...['-charset', `iptc=${encoding.charset}`],
    ...(isMarked ? ['-IPTC:CodedCharacterSet=UTF8'] : []),
    ...texts.map((text) => `-IPTC:Keywords+=${text}`),
    ...xmp,
    ...(hasDigest ? ['-Photoshop:IPTCDigest=new'] : []),
  ];
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Programs read a sidecar instead of the XMP in the file: it holds that XMP too. */
function sidecarArgs(keywords: readonly string[]): string[] {
  const subjects = keywords.map((keyword) => `-XMP-dc:Subject=${keyword}`);
  return ['-tagsFromFile', '@', '-XMP:all', '--XMP-dc:Subject', ...subjects];
}

/** Small damage that costs nothing is passed over, as exiftool marks it; other damage is an error. */
async function runWrite(
  exiftool: Exiftool,
  args: readonly string[],
  probePath: string,
  signal: AbortSignal,
): Promise<void> {
  let { errors, warnings } = await exiftool.run(args, signal);
  if (errors.length > 0 && errors.every((error) => error.startsWith('[minor]'))) {
    ({ errors, warnings } = await exiftool.run(['-m', ...args], signal));
  }
  const [error] = errors;
  if (error === undefined) return;
  const [source = ''] = args.slice(-1);
  const isWriteError = /^error (writing|creating|renaming|closing)|no space/i.test(error);
  if (isWriteError && !(await hasRoomFor(source, probePath))) {
    throw new KeywordError('failed', 'the file with its keywords could not be written to the disk');
  }
  // exiftool says no more than that it could not write, where the file ends too early.
  const notes = warnings.filter((warning) => !warning.startsWith('[minor]'));
  const reason = [isWriteError ? 'the file is damaged or cut short' : error, ...notes].join('; ');
  throw new KeywordError('damaged', `keywords cannot be written without loss: ${reason}`);
}

function explainMissing(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
    throw new KeywordError('not-kept', 'exiftool reported no error and wrote no file', { cause: error });
  }
  throw error;
}

/** How many of the keywords that each place is to hold are not there. */
function countLost(
  expected: Readonly<Record<'iptc' | 'xmp', readonly string[]>>,
  after: KeywordState,
  formOf: FormOf,
): number {
  return (
    missingFrom(after.xmp, expected.xmp, formOf).length +
    missingFrom(after.iptc, expected.iptc, formOf).length
  );
}

function checkKept(lost: number, field: MetadataTarget, before: KeywordState, after: KeywordState): void {
  if (lost > 0) throw new KeywordError('not-kept', `of the keywords, ${lost} are not there after writing`);
  if (field !== 'sidecar' && before.imageHash !== after.imageHash) {
    throw new KeywordError('not-kept', 'writing keywords would change the image itself');
  }
}

/** Afterwards each place may hold what both held, and ours. */
function checkCount({ iptc, xmp }: KeywordState): void {
  const count = Math.max(iptc.length, xmp.length);
  if (count <= maxStoredKeywords) return;
  throw new KeywordError(
    'too-large',
    `the file holds ${count} keywords; at most ${maxStoredKeywords} are accepted`,
  );
}

async function checkInput({ inputPath, outputPath, maxFileBytes }: WriteRequest): Promise<void> {
  if (!isAbsolute(inputPath) || !isAbsolute(outputPath)) throw new Error('paths of images must be absolute');
  const { size } = await stat(inputPath);
  if (size > maxFileBytes) {
    throw new KeywordError(
      'too-large',
      `the file has ${size} bytes; keywords are written up to ${maxFileBytes}`,
    );
  }
}
