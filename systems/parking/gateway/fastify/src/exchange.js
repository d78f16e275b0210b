/** One request on its way: what the gateway knows of it, and the answer that its caller gets from an instance. */

import { answerFields, http2AnswerFields, requestFields } from './fields.js';
import { Upload, dropRest, hasBody } from './upload.js';

export class Exchange {
  /** The body of the request, or null. */
  upload;
  /** Called where parts of an answer are wanted again, and where the caller goes away before the end of one. */
  onDrain;
  onLeave;
  hasLeft = false;
  #request;
  #reply;
  #caller;
  #scheme;
  // A stream of HTTP/2, or an answer of HTTP/1.1.
  #out;
  #hasWritten = false;
  #isOver = false;

  /** Of a request of Fastify. `caller` is null where no token was asked for, and `scheme` is that of its leg. */
  constructor(request, reply, caller, scheme) {
    this.#request = request;
    this.#reply = reply;
    this.#caller = caller;
    this.#scheme = scheme;
    this.upload = hasBody(request.raw) ? new Upload(request.raw) : null;
    this.#out = request.raw.stream ?? reply.raw;
    this.#out.on('drain', () => this.onDrain?.());
    this.#out.once('close', () => this.#leave());
  }

  get method() {
    return this.#request.raw.sent.method;
  }

  /** The request to an instance. */
  toSend() {
    const { raw } = this.#request;
    const { method, target } = raw.sent;
    return { method, target, fields: requestFields(raw, this.#ownFields()), body: this.upload };
  }

  /** Throws where the fields are none for the caller's version of HTTP. */
  begin(status, fields) {
    if (this.#out.destroyed || this.#out.closed) {
      this.#leave();
      return;
    }
    const { id, pageFields } = this.#request;
    const list = answerFields(fields, ['x-request-id', id, ...(pageFields ?? [])]);
    if (this.#isHttp2) {
      this.#out.respond({ ':status': status, ...http2AnswerFields(list) });
    } else {
      this.#out.writeHead(status, list);
      process.nextTick(() => this.#flushHead());
    }
    this.#reply.hijack();
  }

  /** Tells whether the next part is wanted now. */
  write(part) {
    this.#hasWritten = true;
    return this.#out.writableEnded || this.#out.write(part);
  }

  end() {
    this.#isOver = true;
    this.#out.end();
    this.upload?.destroy();
    if (this.upload !== null && !this.#request.raw.readableEnded) {
      dropRest(this.#request.raw, this.#out);
    }
  }

  /** Ends an answer that has begun so that it does not look complete. */
  breakOff() {
    this.#isOver = true;
    if (this.#isHttp2) this.#out.destroy(new Error('the answer broke off'));
    else this.#out.destroy();
  }

  get #isHttp2() {
    return this.#request.raw.stream !== undefined;
  }

  #ownFields() {
    const { id, raw } = this.#request;
    const { host, ':authority': authority = host } = raw.headers;
    return [
      ...['x-request-id', id, 'x-forwarded-for', raw.socket.remoteAddress],
      ...['x-forwarded-proto', this.#scheme],
      ...(authority === undefined ? [] : ['x-forwarded-host', authority]),
      ...(this.#caller === null
        ? []
        : ['x-user-id', this.#caller.id, 'x-user-role', this.#caller.role]),
    ];
  }

  /** Node.js would keep the head until the first part, with which it goes out where that is there already. */
  #flushHead() {
    if (!this.#hasWritten && !this.#isOver) this.#out.flushHeaders();
  }

  #leave() {
    if (this.#isOver) return;
    this.#isOver = true;
    this.hasLeft = true;
    this.#reply.hijack(); // Nobody is there to be answered.
    this.upload?.destroy();
    this.onLeave?.();
  }
}
