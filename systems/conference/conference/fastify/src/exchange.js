/** One exchange with the service `country`, as undici dispatches it: cheaper than its `request`, and with a limit. */

/** How an exchange ended, where there is no answer of the service. */
export const BROKEN = 'broken'; // refused, or broken off
export const LATE = 'late';
export const TOO_LARGE = 'too large';

/** The caller went away, or another look-up of its request failed. */
export class Cancelled extends Error {}

/**
 * Sends one request of undici's form by its client. Resolves with `{status, bytes}`, or with `{failure, cause}`;
 * rejects with Cancelled as soon as the signal is aborted.
 */
export function exchange(client, request, { timeoutMs, mostBytes, signal }) {
  return new Promise((resolve, reject) => {
    const handler = new Exchange({ timeoutMs, mostBytes, signal, resolve, reject });
    if (!handler.isOver) client.dispatch(request, handler);
  });
}

class Exchange {
  isOver = false;
  #status;
  #parts = [];
  #size = 0;
  #mostBytes;
  #resolve;
  #controller;
  #timer;
  #signal;
  #cancel;

  constructor({ timeoutMs, mostBytes, signal, resolve, reject }) {
    this.#mostBytes = mostBytes;
    this.#resolve = resolve;
    this.#signal = signal;
    this.#timer = setTimeout(() => this.#fail(LATE), timeoutMs);
    this.#cancel = () => {
      this.#end();
      this.#controller?.abort(new Cancelled());
      reject(new Cancelled());
    };
    if (signal.aborted) this.#cancel();
    else signal.addEventListener('abort', this.#cancel);
  }

  onRequestStart(controller) {
    this.#controller = controller;
    // It waited for a connection for too long, or for nobody.
    if (this.isOver) controller.abort(new Cancelled());
  }

  onResponseStart(controller, status) {
    this.#status = status;
  }

  onResponseData(controller, part) {
    this.#parts.push(part);
    this.#size += part.length;
    if (this.#size > this.#mostBytes) this.#fail(TOO_LARGE);
  }

  onResponseEnd() {
    if (this.isOver) return;
    this.#end();
    this.#resolve({ status: this.#status, bytes: Buffer.concat(this.#parts) });
  }

  onResponseError(controller, error) {
    this.#fail(BROKEN, error);
  }

  #fail(failure, cause = new Error(failure)) {
    if (this.isOver) return;
    this.#end();
    this.#controller?.abort(cause);
    this.#resolve({ failure, cause });
  }

  #end() {
    this.isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener('abort', this.#cancel);
  }
}
