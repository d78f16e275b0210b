/** Bodies that are small enough to be passed on by one write, in place of a pipe. */

// Above the messages of most APIs; what is larger, or of no stated length, travels on as it comes.
const MAXIMUM_BUFFERED_BYTES = 64 * 1024;

/** Whether a body of this Content-Length, which may be missing, is to be read first. */
export function isSmall(contentLength) {
  return contentLength !== undefined && Number(contentLength) <= MAXIMUM_BUFFERED_BYTES;
}

/** The bytes of a stream; rejects where it breaks off. */
export function readAll(stream) {
  return new Promise((resolve, reject) => {
    const parts = [];
    const ended = () => resolve(parts.length === 1 ? parts[0] : Buffer.concat(parts));
    if (stream.readableEnded) {
      ended(); // Deno ends a stream of HTTP/2 that has no body before it tells of the answer.
      return;
    }
    stream.on('data', (part) => parts.push(part));
    stream.once('end', ended);
    stream.once('error', reject);
    stream.once('close', () => reject(new Error('the body broke off')));
  });
}
