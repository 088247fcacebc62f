/**
 * Names that clients give to what they are not done with, and rename afterwards: of lftp, WinSCP, FileZilla, rsync, browsers,
 * cameras and scripts.
 */
const passingEndings =
  /\.(tmp|temp|part|partial|filepart|crdownload|download|uploading|upload|inprogress|incomplete|!ut|lftp-pget-status)$/i;
const passingBeginnings = /^(\.|~|_?tmp_|\$)/i;

/** Whether a file of this name is only on its way to another name, by which it will arrive. */
export function isPassingName(name: string): boolean {
  return passingEndings.test(name) || passingBeginnings.test(name) || name.endsWith('~');
}
