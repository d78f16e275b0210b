/** The body makes no document; the message is for the client. */
export class BadBody extends Error {
  statusCode = 400;
}
