import { FTPError } from 'basic-ftp';
import { DeliveryError } from './destination.js';
import { explainFailure, messageOf, quoteRemote } from './explain-failure.js';

/** What a server's refusal means, by the codes of RFC 959 section 4.2. */
export function explainFtpFailure(error: unknown, whatFailed: string): DeliveryError {
  if (!(error instanceof FTPError)) {
    if (error instanceof Error && /^Timeout/.test(error.message)) {
      return new DeliveryError('unreachable', `the server stopped answering while ${whatFailed}`);
    }
    if (/PASV returned another host/.test(messageOf(error))) {
      return new DeliveryError(
        'not-allowed',
        'the server names another host for its data connections; it must name its own address (its passive address), or offer EPSV',
      );
    }
    return explainFailure(error);
  }
  const said = `the server says ${quoteRemote(error.message)} while ${whatFailed}`;
  if (error.code === 530 || error.code === 331 || error.code === 332) {
    return new DeliveryError('credentials', `${said}; check user name and password`);
  }
  if (
    error.code === 452 ||
    error.code === 552 ||
    /no space|disk full|quota|writing to local file/i.test(error.message)
  ) {
    return new DeliveryError('full', `${said}: it has no more room`);
  }
  if (error.code === 421 || error.code === 425 || error.code === 426)
    return new DeliveryError('unreachable', said);
  return new DeliveryError('refused', `${said}; check the folder and the rights of the user`);
}

/** Whether a server does not know a command, or not with these words. */
export function isUnknownCommand(error: unknown): boolean {
  return error instanceof FTPError && [500, 501, 502, 503, 504].includes(error.code);
}

export function isNotThere(error: unknown): boolean {
  return error instanceof FTPError && (error.code === 550 || error.code === 450);
}
