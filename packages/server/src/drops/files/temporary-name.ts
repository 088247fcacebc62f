/**
 * Names that clients give to what they are not done with, and rename afterwards: of lftp, WinSCP, FileZilla, rsync, browsers,
 * cameras and scripts.
 */
const temporaryEndings =
  /\.(tmp|temp|part|partial|filepart|crdownload|download|uploading|upload|inprogress|incomplete|!ut|lftp-pget-status)$/i;
const temporaryBeginnings = /^(\.|~|_?tmp_|\$)/i;

/** Whether a file of this name is only on its way to another name, by which it will arrive. */
export function isTemporaryName(name: string): boolean {
  return temporaryEndings.test(name) || temporaryBeginnings.test(name) || name.endsWith('~');
}
