import { ServiceError } from '../../core/service-error.js';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import type { SecretBox } from '../../storage/secrets/secret-box.js';
import { hideCredentials } from '../sources/hide-credentials.js';
import { isWellFormed, notEncoded } from '../sources/parse-source.js';

/** Where a video is fetched from. */
export interface VideoAddress {
  /** http or https, without user name and password. */
  readonly url: string;
  readonly username: string | null;
  readonly password: string | null;
}

const maxLength = 2000;

/** Splits user name and password off. Throws `wrong_parameters` for what is no http or https address. */
export function parseVideoAddress(text: string): VideoAddress {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : null;
  if (url === null || text.length > maxLength || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ServiceError(
      'wrong_parameters',
      `address must be an http or https address of at most ${maxLength} characters`,
    );
  }
  if (!isWellFormed(text.trim())) throw new ServiceError('wrong_parameters', `address: ${notEncoded}`);
  const { username, password } = url;
  Object.assign(url, { username: '', password: '', hash: '' });
  return { url: url.href, username: decode(username), password: decode(password) };
}

/** As its row has it: sealed as a whole, since its path and query may be secret. */
export function sealAddress(address: VideoAddress, box: SecretBox, uid: string) {
  return {
    address: hideCredentials(address.url),
    sealed_secrets: box.seal(JSON.stringify(address), sealContexts.videoSecrets(uid)),
  };
}

/** Null where it was sealed with another key of the installation. */
export function openAddress(sealed: string, box: SecretBox, uid: string): VideoAddress | null {
  const text = box.open(sealed, sealContexts.videoSecrets(uid));
  // Written by us alone.
  return text === null ? null : JSON.parse(text);
}

/** The last part of the path, for a name; null where there is none. */
export function fileNameOf({ url }: VideoAddress): string | null {
  const name = decode(new URL(url).pathname.split('/').at(-1) ?? '');
  return name === '' ? null : name;
}

function decode(text: string): string | null {
  if (text === '') return null;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
