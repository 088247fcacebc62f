import { DeliveryError } from './destination.js';
import { explainFailure, messageOf, quoteRemote } from './explain-failure.js';

/** Status codes of SFTP 3, draft-ietf-secsh-filexfer-02 section 7. */
export const sftpStatus = { noSuchFile: 2, permissionDenied: 3, failure: 4, unsupported: 8 } as const;

export function statusOf(error: unknown): number | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'number' ? code : null;
}

export function explainSftpFailure(error: unknown, whatFailed: string): DeliveryError {
  const status = statusOf(error);
  if (error instanceof DeliveryError || status === null) return explainFailure(error);
  const said = `the server says ${quoteRemote(messageOf(error))} while ${whatFailed}`;
  if (/no space|quota|disk full/i.test(messageOf(error))) return new DeliveryError('full', said);
  return new DeliveryError('refused', `${said}; check the folder, its room and the rights of the user`);
}
