/** What a request can fail of, as the caller is told: problems of RFC 9457, by the table of SPEC.md. */

export const PROBLEM_TYPE = 'application/problem+json';

// By code: status, title.
const KINDS = {
  malformed: [400, 'Malformed request'],
  'token-missing': [401, 'Token missing'],
  'token-invalid': [401, 'Token not valid'],
  'not-found': [404, 'Not found'],
  'method-not-allowed': [405, 'Method not allowed'],
  'too-large': [413, 'Body too large'],
  'fields-too-large': [431, 'Header fields too large'],
  internal: [500, 'Internal error'],
  upstream: [502, 'Service failed'],
  unavailable: [503, 'Not available'],
  'upstream-timeout': [504, 'Service did not answer in time'],
};

// By code. In seconds: an instance may be there again by then.
const FIELDS = {
  'token-missing': { 'www-authenticate': 'Bearer' },
  'token-invalid': { 'www-authenticate': 'Bearer' },
  unavailable: { 'retry-after': '1' },
};

/** One problem; `cause` says why, for the log alone. */
export class Problem extends Error {
  constructor(code, { allow, cause } = {}) {
    const [status, title] = KINDS[code];
    super(title, { cause });
    const fields = { ...FIELDS[code], ...(allow !== undefined && { allow }) };
    Object.assign(this, { code, status, fields });
  }

  /** The JSON of it. */
  toText() {
    return JSON.stringify({
      type: `urn:park:${this.code}`,
      title: this.message,
      status: this.status,
      code: this.code,
    });
  }
}
