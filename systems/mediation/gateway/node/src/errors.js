/** What a request can fail of; the messages are for the caller. */

/** The body makes no document. */
export class BadBody extends Error {
  statusCode = 400;
}

/** The upstream gave no answer, or broke it off; `cause` says how. */
export class UpstreamFailed extends Error {
  statusCode = 502;

  constructor(options) {
    super('the upstream failed', options);
  }
}
