/** Checks of the TLS material, so that what is wrong with it shows at start. */

import { X509Certificate, createPrivateKey } from 'node:crypto';

/** Throws where chain and key cannot be read, or are not of each other. */
export function checkKeyPair({ cert, key }) {
  if (!new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) {
    throw new Error('it is the key of another certificate');
  }
}

/** Throws where the text is no certificate. */
export function checkAuthority(text) {
  new X509Certificate(text);
}
