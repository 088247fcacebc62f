import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { sealContexts } from '../../storage/secrets/sealed-values.js';
import { createSharedIdentity, type SharedIdentityDeps } from '../servers/shared-identity.js';
import {
  type CertificateNames,
  isGoodPair,
  makeOwnCertificate,
  ownCertificatePaths,
  readOwnCertificate,
  writeOwnCertificate,
} from './own-certificate.js';
import type { CertificatePaths } from './tls.js';

interface SharedCertificateDeps extends SharedIdentityDeps, CertificateNames {
  readonly clock: () => number;
  /** Where this service keeps its copy. */
  readonly folder: string;
}

const Pair = Type.Object({ certificate: Type.String(), key: Type.String() });
type Pair = Static<typeof Pair>;

/** The one certificate of all services on a database; replaced when it expires soon. */
export function createSharedCertificate(deps: SharedCertificateDeps): () => Promise<CertificatePaths> {
  const { clock, folder } = deps;
  const paths = ownCertificatePaths(folder);
  const bring = createSharedIdentity<Pair>(deps, {
    name: 'certificate of ftp',
    table: 'ftp_certificate',
    context: sealContexts.ftpCertificate,
    parse(text) {
      // Sealed by us alone.
      const pair = Value.Parse(Pair, JSON.parse(text));
      return isGoodPair(pair, clock()) ? pair : null;
    },
    make: () => makeOwnCertificate(deps, clock()),
    readOwn: () => readOwnCertificate(paths, clock()),
    writeOwn: (pair) => writeOwnCertificate(paths, pair),
  });
  return async () => {
    await bring();
    return paths;
  };
}
