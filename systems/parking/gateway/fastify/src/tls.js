/** The files of TLS, read and looked at once, so that what is wrong with them shows at the start. */

import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { wrong } from './environment.js';

const A_CERTIFICATE = 'be a file with a certificate in PEM';

/** The chain that callers are shown, and its key. */
export function readKeyPair(environment) {
  const cert = readPem(environment, 'TLS_CERT', A_CERTIFICATE, certificateOf);
  const key = readPem(environment, 'TLS_KEY', 'be a file with a key in PEM', createPrivateKey);
  if (!certificateOf(cert).checkPrivateKey(createPrivateKey(key))) {
    throw wrong(environment, 'TLS_KEY', 'be the key of TLS_CERT');
  }
  return Object.freeze({ cert, key });
}

/** The one authority that may vouch for instances. */
export function readAuthority(environment) {
  return readPem(environment, 'TLS_CA', A_CERTIFICATE, certificateOf);
}

/** The text of the file, whose first part is read by `look`, which throws where it is none. */
function readPem(environment, name, rule, look) {
  try {
    const text = readFileSync(environment[name] ?? '', 'utf8');
    look(text);
    return text;
  } catch (error) {
    throw wrong(environment, name, `${rule} (${error.message.split('\n', 1)[0]})`);
  }
}

function certificateOf(text) {
  return new X509Certificate(text);
}
