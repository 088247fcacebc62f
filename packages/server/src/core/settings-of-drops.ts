import { Type } from 'typebox';

/** How drops get their files, and where they may send them. */
export const settingsOfDrops = {
  ftpPort: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 0,
    description:
      'Port for FTP, by which drops get their images, such as 2121; 0: none. Of several services on one database without a bucket one alone may have it; with a bucket set it alike for all of them.',
  }),
  ftpHost: Type.String({
    default: '',
    description: 'Address to listen on for FTP; 0.0.0.0 or :: for every one; empty: that of host.',
  }),
  ftpPassivePorts: Type.String({
    default: '50000-50100',
    pattern: '^[0-9]{1,5}-[0-9]{1,5}$',
    description: 'Ports for transfers, first and last; one for each at once. 0-0 takes any that is free.',
  }),
  ftpPublicAddress: Type.String({
    default: '',
    description:
      'IPv4 address that clients connect to for transfers, where it is not the one that they came to: one, or a list by networks such as 10.0.0.0/8=10.1.2.3,0.0.0.0/0=203.0.113.5.',
  }),
  ftpProxyProtocolFrom: Type.String({
    default: '',
    description:
      'Addresses and networks (CIDR, comma separated) of balancers whose FTP connections, for commands and for data, begin with a header of the PROXY protocol, version 1 or 2, which names the client; from others none is taken. Empty: none.',
  }),
  ftpActive: Type.Boolean({
    default: false,
    description: 'Take PORT and EPRT: the service connects to the client for transfers.',
  }),
  ftpRequireTls: Type.Boolean({
    default: false,
    description: 'Refuse log-ins and transfers in plain text.',
  }),
  ftpTlsNeedsCloseNotify: Type.Boolean({
    default: true,
    description:
      "Take an upload by TLS for cut unless TLS's own close (close_notify) ends it. Off for cameras that leave it out: an upload that an attacker on the way cuts then arrives.",
  }),
  ftpCertificateFile: Type.String({
    default: '',
    description:
      'Certificate for FTP, PEM, the whole chain; empty: a self-signed one. Read again when it changes.',
  }),
  ftpKeyFile: Type.String({ default: '', description: 'Its private key, PEM without a passphrase.' }),
  ftpMaxConnections: Type.Integer({
    minimum: 1,
    default: 500,
    description: 'FTP connections open at once.',
  }),
  sftpPort: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 0,
    description: 'Port for SFTP, by which drops get their images too, such as 2222; 0: none. As for ftpPort.',
  }),
  sftpHost: Type.String({
    default: '',
    description: 'Address to listen on for SFTP; 0.0.0.0 or :: for every one; empty: that of host.',
  }),
  sftpProxyProtocolFrom: Type.String({
    default: '',
    description:
      'Addresses and networks (CIDR, comma separated) of balancers whose SFTP connections begin with a header of the PROXY protocol, version 1 or 2, which names the client; from others none is taken. Empty: none.',
  }),
  sftpMaxConnections: Type.Integer({
    minimum: 1,
    default: 200,
    description: 'SFTP connections open at once.',
  }),
  dropDomain: Type.String({
    default: '',
    pattern: '^([A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*)?$',
    description:
      'Domain below which each drop has a host name of its own (a wildcard entry of DNS), such as drop.example; empty: none.',
  }),
  dropMaxFileBytes: Type.Integer({
    minimum: 1,
    default: 512 * 1024 * 1024,
    description: 'Largest file that a drop takes.',
  }),
  dropMaxWaitingFiles: Type.Integer({
    minimum: 1,
    default: 20_000,
    description:
      'Files of one drop that may wait to be sent on; above it uploads are refused until there are fewer.',
  }),
  dropSettleMs: Type.Integer({
    minimum: 0,
    default: 1000,
    description: 'Time in which a file that arrived can still be renamed or gone on with.',
  }),
  dropRetryHours: Type.Integer({
    minimum: 1,
    default: 24,
    description:
      'Hours for which a file is tried again that cannot be sent on, before it goes to failed/; also an event of a stream, before it is given up.',
  }),
  dropConcurrency: Type.Integer({
    minimum: 1,
    default: 16,
    description:
      'Files of drops that are worked on at once, of all accounts; one account has half of these slots unless accountMaxConcurrent says otherwise.',
  }),
  dropFolders: Type.String({
    default: '',
    description:
      'Folders of this machine, absolute, comma separated, in which destinations of drops may be; empty: none.',
  }),
  deliveryAllowedNetworks: Type.String({
    default: '',
    description:
      'Networks (CIDR, comma separated) that drops and events of streams may be sent to although they are private.',
  }),
};
