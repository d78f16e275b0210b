package loadstone.conference;

import io.vertx.core.Future;

/** The stack's HTTP client on the way to the service country. */
interface CountryConnection {

    /** A status and as much of the body as was wanted. */
    record Answer(int status, byte[] body) {}

    /**
     * Makes one attempt. The body is JSON to post, or null for a GET. Ends an answer that is longer
     * than the most, and gives more bytes than that of it. Fails with TimeoutException where the
     * attempt is over its limit, and with anything else where the connection is refused or broken.
     */
    Future<Answer> exchange(String path, byte[] body, int mostBytes);
}
