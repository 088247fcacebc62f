import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

export const deployDir = fileURLToPath(new URL('../../../deploy/', import.meta.url));

export const readDeployFile = (path: string): string => readFileSync(join(deployDir, path), 'utf8');

/** Paths of all files of deploy/, relative to it; not the secrets that somebody made there. */
export function deployFiles(): readonly string[] {
  return readdirSync(deployDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(deployDir.length))
    .filter((path) => !path.startsWith('secrets/'))
    .sort();
}

export interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, { readonly ipv4_address: string }>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly hostname?: string;
  readonly read_only?: boolean;
  readonly user?: string;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<
    Record<
      string,
      {
        readonly ipam: {
          readonly config: readonly {
            readonly subnet: string;
            readonly gateway: string;
            readonly ip_range: string;
          }[];
        };
      }
    >
  >;
}

/** compose.yaml with its merges done. */
export const readCompose = (): ComposeFile => parse(readDeployFile('compose.yaml'), { merge: true });

/** Those of compose.yaml that run Lynceus, by name. */
export const composeReplicas = (compose: ComposeFile): readonly (readonly [string, ComposeService])[] =>
  Object.entries(compose.services).filter(([, { image }]) => image === 'lynceus');

/** A document of a manifest: each kind has a shape of its own, which its schema checks. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
}

/** The documents of one file of kubernetes/. */
export function readManifests(name: string): readonly Manifest[] {
  return parseAllDocuments(readDeployFile(`kubernetes/${name}`)).map((document) => {
    if (document.errors.length > 0) throw new Error(`${name}: ${document.errors.join('\n')}`);
    return document.toJS();
  });
}

/** What the kustomization applies. */
export const kustomization: {
  readonly resources: readonly string[];
  readonly images: readonly { readonly name: string }[];
} = parse(readDeployFile('kubernetes/kustomization.yaml'));
