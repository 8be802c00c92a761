import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';

/** Paths of the certificates that this machine trusts, as Node, OpenSSL, Python and Go read them. They are not secrets. */
const CERTIFICATES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'];

/** The part of this process's environment that MCP servers get: nothing in it is a credential. */
export function safeEnvironment(): Record<string, string> {
  const certificates = CERTIFICATES.flatMap(name => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...getDefaultEnvironment(), ...Object.fromEntries(certificates) };
}
