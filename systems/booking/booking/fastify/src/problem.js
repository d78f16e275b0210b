/** What a request can fail of, as the caller is told: problems of RFC 9457, by the table of SPEC.md. */

export const PROBLEM_TYPE = 'application/problem+json';

const NAMESPACE = 'https://booking.example/problems/';

// By code: status, title, detail.
const KINDS = {
  malformed: [400, 'Malformed request', 'The request is not well formed.'],
  unauthenticated: [401, 'Not authenticated', 'A valid token is needed.'],
  'bad-credentials': [401, 'Bad credentials', 'The e-mail address or the password is wrong.'],
  forbidden: [403, 'Forbidden', 'The account may not do this.'],
  'not-found': [404, 'Not found', 'Nothing is here.'],
  'method-not-allowed': [405, 'Method not allowed', 'The path does not have this method.'],
  'email-taken': [409, 'E-mail address taken', 'There is an account of this e-mail address.'],
  'slot-taken': [409, 'Slot taken', 'Another reservation is in this time.'],
  'facility-retired': [409, 'Facility retired', 'The facility takes no reservations.'],
  'wrong-state': [409, 'Wrong state', 'The reservation is in another state.'],
  'too-large': [413, 'Body too large', 'A body has at most 16384 bytes.'],
  'unsupported-media-type': [415, 'Unsupported media type', 'The body must be application/json.'],
  validation: [422, 'Invalid members', 'The body is not valid.'],
  'idempotency-mismatch': [422, 'Key used before', 'The key belongs to another request.'],
  internal: [500, 'Internal error', 'The service failed.'],
  unavailable: [503, 'Not available', 'The database is not available.'],
};

/** One problem; `cause` says why, for the log alone. */
export class Problem extends Error {
  constructor(code, { faults, allow, cause } = {}) {
    const [status, title, detail] = KINDS[code];
    super(detail, { cause });
    Object.assign(this, { code, status, title, faults, allow });
  }

  /** The JSON of it. */
  toText() {
    return JSON.stringify({
      type: NAMESPACE + this.code,
      title: this.title,
      status: this.status,
      detail: this.message,
      errors: this.faults,
    });
  }
}
