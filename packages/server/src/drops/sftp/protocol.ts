/** SFTP of version 3, which every client speaks: draft-ietf-secsh-filexfer-02. */
export const protocolVersion = 3;

/** Section 3: types of requests. */
export const requestTypes = {
  init: 1,
  open: 3,
  close: 4,
  read: 5,
  write: 6,
  lstat: 7,
  fstat: 8,
  setstat: 9,
  fsetstat: 10,
  opendir: 11,
  readdir: 12,
  remove: 13,
  mkdir: 14,
  rmdir: 15,
  realpath: 16,
  stat: 17,
  rename: 18,
  readlink: 19,
  symlink: 20,
  extended: 200,
} as const;

/** Section 3: types of responses. */
export const responseTypes = {
  version: 2,
  status: 101,
  handle: 102,
  data: 103,
  name: 104,
  attrs: 105,
  extendedReply: 201,
} as const;

/** Section 7. */
export const statusCodes = {
  ok: 0,
  eof: 1,
  noSuchFile: 2,
  permissionDenied: 3,
  failure: 4,
  badMessage: 5,
  opUnsupported: 8,
} as const;
export type StatusCode = (typeof statusCodes)[keyof typeof statusCodes];

/** Section 6.3: how a file is opened. */
export const openFlags = { read: 1, write: 2, append: 4, create: 8, truncate: 16, exclusive: 32 } as const;

/** Section 5: which attributes follow. */
export const attributeFlags = { size: 1, owner: 2, permissions: 4, times: 8, extended: 0x80000000 } as const;

/** Of a file and of a folder (POSIX's st_mode). */
export const fileMode = 0o100644;
export const folderMode = 0o040755;

/** Extensions of OpenSSH (its file PROTOCOL), with their versions. */
export const extensions = {
  'posix-rename@openssh.com': '1',
  'statvfs@openssh.com': '2',
  'fstatvfs@openssh.com': '2',
  'fsync@openssh.com': '1',
  'lsetstat@openssh.com': '1',
  'limits@openssh.com': '1',
} as const;

/** As OpenSSH's server has them: of a packet, and of the bytes of a file in it. */
export const maxPacketBytes = 256 * 1024;
export const maxDataBytes = maxPacketBytes - 1024;
