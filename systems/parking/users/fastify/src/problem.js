/** What a request can fail of, as the caller is told: problems of RFC 9457, by the table of SPEC.md. */

export const PROBLEM_TYPE = 'application/problem+json';

// By code: status, title. The last one is of a head that Node.js does not read to its end.
const KINDS = {
  malformed: [400, 'Malformed request'],
  'unknown-member': [400, 'Unknown member'],
  'token-missing': [401, 'Token missing'],
  'token-invalid': [401, 'Token not valid'],
  credentials: [401, 'Wrong e-mail address or password'],
  forbidden: [403, 'Forbidden'],
  'account-blocked': [403, 'Account blocked'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'duplicate-email': [409, 'E-mail address taken'],
  'duplicate-nif': [409, 'Tax number taken'],
  'duplicate-plate': [409, 'Plate taken'],
  'vehicle-limit': [409, 'Too many vehicles'],
  coins: [409, 'Not enough coins, or too many'],
  'too-large': [413, 'Body too large'],
  'unsupported-media-type': [415, 'Unsupported media type'],
  invalid: [422, 'Invalid members'],
  'idempotency-mismatch': [422, 'Key used before'],
  internal: [500, 'Internal error'],
  unavailable: [503, 'Not available'],
  'fields-too-large': [431, 'Header fields too large'],
};

// By code. In seconds: the database may be there again by then.
const FIELDS = {
  'token-missing': { 'www-authenticate': 'Bearer' },
  'token-invalid': { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '1' },
};

/** One problem; `cause` says why, for the log alone. */
export class Problem extends Error {
  constructor(code, { faults, allow, cause } = {}) {
    const [status, title] = KINDS[code];
    super(title, { cause });
    const fields = { ...FIELDS[code], ...(allow !== undefined && { allow }) };
    Object.assign(this, { code, status, faults, fields });
  }

  /** The JSON of it. */
  toText() {
    return JSON.stringify({
      type: `urn:park:${this.code}`,
      title: this.message,
      status: this.status,
      code: this.code,
      errors: this.faults,
    });
  }
}
