import type { ReadTags } from './keyword-trial.js';

/**
 * What is ours to change; where things lie in a file, and what the file system knows, is not metadata of the
 * image; nor is the part of a HEIC or AVIF that holds pixels and XMP alike.
 */
const ours =
  /^(SourceFile|ExifTool|System|Composite):?|^IPTC:(Keywords|CodedCharacterSet|EnvelopeRecordVersion|ApplicationRecordVersion)$|^XMP-(dc:Subject|x:XMPToolkit)$|^Photoshop:IPTCDigest$|^File:CurrentIPTCDigest$|^RIFF:WebP_Flags$|^QuickTime:MediaData(Size)?$|(Offsets?|Start)$/;

/** Every tag that is to stay as it was, of all that exiftool reads with `-b -u`. */
export function otherTags(tags: ReadTags): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(tags).filter(([name]) => !ours.test(name)));
}
