/** What a request can fail of, as the caller is told: problems of RFC 9457, by the table of SPEC.md. */

export const PROBLEM_TYPE = 'application/problem+json';

const TYPES = 'https://booking.example/problems/';

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
} as const satisfies Record<string, readonly [number, string, string]>;

export type ProblemCode = keyof typeof KINDS;

/** What is wrong with one member of a body. */
export interface Fault {
  readonly pointer: string;
  readonly code: string;
}

interface Details {
  readonly faults?: readonly Fault[];
  readonly allow?: string;
  readonly cause?: unknown;
}

/** One problem; `cause` says why, for the log alone. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly faults: readonly Fault[] | undefined;
  readonly allow: string | undefined;

  constructor(code: ProblemCode, { faults, allow, cause }: Details = {}) {
    const [status, title, detail] = KINDS[code];
    super(detail, { cause });
    this.code = code;
    this.status = status;
    this.title = title;
    this.faults = faults;
    this.allow = allow;
  }

  /** The JSON of it. */
  toText(): string {
    const { code, title, status, message: detail, faults: errors } = this;
    return JSON.stringify({ type: TYPES + code, title, status, detail, errors });
  }
}

/** A body of which one member is wrong. */
export function invalid(pointer: string, code: string): Problem {
  return new Problem('validation', { faults: [{ pointer, code }] });
}
