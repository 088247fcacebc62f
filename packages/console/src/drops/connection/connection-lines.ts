/** The FTP access to a drop. */
interface FtpAccess {
  readonly host: string;
  readonly port: number;
  readonly userName: string;
  /** Null if it was shown before and is not known here. */
  readonly key: string | null;
}

export const uploaders = ['curl', 'lftp', 'python'] as const;
export type Uploader = (typeof uploaders)[number];

/** The placeholder for an unknown key. */
const keyPlaceholder = 'KEY';

/** Commands or code that send an image. They accept any certificate: FTP uses a self-signed one unless the operator sets one. */
export function connectionLines(uploader: Uploader, access: FtpAccess): string {
  const { userName, key } = access;
  const password = key ?? keyPlaceholder;
  const address = `ftp://${hostPart(access.host)}:${access.port}`;
  switch (uploader) {
    case 'curl':
      return [
        '# Sends one image, by TLS.',
        `curl --ssl-reqd --insecure -T IMG_1.jpg --user ${userName}:${password} ${address}/`,
      ].join('\n');
    case 'lftp':
      return [
        '# Sends a folder with all that is in it.',
        `lftp -u ${userName},${password} -e 'set ssl:verify-certificate no; mirror -R images /incoming; bye' ${address}`,
      ].join('\n');
    case 'python':
      return [
        'import ftplib',
        '',
        'with ftplib.FTP_TLS() as ftp:',
        `    ftp.connect("${access.host}", ${access.port})`,
        `    ftp.login("${userName}", "${password}")`,
        '    ftp.prot_p()',
        '    with open("IMG_1.jpg", "rb") as image:',
        '        ftp.storbinary("STOR IMG_1.jpg", image)',
      ].join('\n');
  }
}

/** IPv6 addresses are in brackets. */
function hostPart(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
