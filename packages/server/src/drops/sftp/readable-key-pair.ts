export interface KeyPair {
  readonly private: string;
  readonly public: string;
}

/** Far more than chance needs. */
const maxAttempts = 20;

/**
 * A key pair in OpenSSH's formats. The library drops leading zero bytes of the Ed25519 keys that it makes, so that nobody, itself
 * neither, can read one of 200 (ssh2 1.17): such a one is made again. Throws where none can be read.
 */
export async function readableKeyPair(make: () => KeyPair | Promise<KeyPair>): Promise<KeyPair> {
  const { default: ssh2 } = await import('ssh2');
  for (let attempt = 1; ; attempt += 1) {
    const pair = await make();
    const parsed = [pair.private, pair.public].map((text) => ssh2.utils.parseKey(text));
    const fault = parsed.find((key) => key instanceof Error);
    if (fault === undefined) return pair;
    if (attempt === maxAttempts) throw fault;
  }
}
