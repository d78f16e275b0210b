package loadstone.conference;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** The stack's HTTP client on the way to the service country. */
interface CountryConnection {

    /** A status and as much of the body as was wanted. */
    record Answer(int status, byte[] body) {}

    /**
     * Makes one attempt. The body is JSON to post, or null for a GET. Reads at most one byte more
     * than the most of the answer, which shows that it is too long. Throws IOException where the
     * connection is refused or broken, and TimeoutException where the attempt is over its limit.
     */
    Answer exchange(String path, byte[] body, int mostBytes) throws IOException, TimeoutException;
}
