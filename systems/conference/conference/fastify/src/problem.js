/** What a request can fail of, as the caller is told: problems of RFC 9457, by the table of SPEC.md. */

export const PROBLEM_TYPE = 'application/problem+json';

const BODY = 'The body must be one JSON value in UTF-8.';
const PAGE = 'The limit must be 1 to 1000, and after an id beside it.';

// By code: status, title, detail. Those of 5xx have the title of their operation.
const KINDS = {
  malformed: [400, 'Malformed request', BODY],
  'not-found': [404, 'Not found', 'Nothing is here.'],
  'method-not-allowed': [405, 'Method not allowed', 'The path does not have this method.'],
  'duplicate-id': [409, 'Duplicate id', 'The id exists.'],
  'too-large': [413, 'Body too large', 'A body has at most 16384 bytes.'],
  'unsupported-media-type': [415, 'Unsupported media type', 'The body must be application/json.'],
  invalid: [422, 'Invalid conference', 'The conference is not valid.'],
  internal: [500, undefined, 'The service failed.'],
  'country-failed': [502, undefined, 'The country service failed.'],
  unavailable: [503, undefined, 'The database is not available.'],
  'country-open': [503, undefined, 'The country service is not asked for now.'],
  'country-timeout': [504, undefined, 'The country service did not answer in time.'],
};

/** One problem; `cause` says why, for the log alone. */
export class Problem extends Error {
  constructor(code, { detail, faults, allow, cause } = {}) {
    const [status, title, standard] = KINDS[code];
    super(detail ?? standard, { cause });
    Object.assign(this, { code, status, title, faults, allow });
  }

  /** The JSON of it; `operationTitle` is what an operation says of its failures. */
  toText(operationTitle) {
    return JSON.stringify({
      type: `urn:conference:${this.code}`,
      title: this.title ?? operationTitle,
      status: this.status,
      detail: this.message,
      errors: this.faults,
    });
  }
}

/** A page that cannot be read from the query. */
export function malformedPage() {
  return new Problem('malformed', { detail: PAGE });
}
