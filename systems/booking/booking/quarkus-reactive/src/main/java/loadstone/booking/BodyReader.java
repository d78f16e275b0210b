package loadstone.booking;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** Gathers the body of a request, as far as it may be read. */
final class BodyReader {

    /** What is sent beyond the most is read and dropped, so that the answer arrives. */
    private static final int MOST_DROPPED_BYTES = 64 * 1024;

    private final HttpServerRequest request;
    private final Promise<byte[]> body = Promise.promise();
    private final Buffer gathered = Buffer.buffer();
    private long come;

    private BodyReader(HttpServerRequest request) {
        this.request = request;
    }

    /** Gives the whole body. Fails with a Refusal. */
    static Future<byte[]> read(HttpServerRequest request) {
        var reader = new BodyReader(request);
        request.exceptionHandler(failure -> reader.body.tryFail(new Refusal(Problem.MALFORMED)));
        request.handler(reader::take);
        request.endHandler(end -> reader.body.tryComplete(reader.gathered.getBytes()));
        request.resume(); // Quarkus has paused it
        if (declaredLength(request) > RequestBody.MOST_BYTES) {
            reader.body.tryFail(new Refusal(Problem.TOO_LARGE));
        }
        return reader.body.future();
    }

    private void take(Buffer chunk) {
        come += chunk.length();
        if (come <= RequestBody.MOST_BYTES) {
            gathered.appendBuffer(chunk);
            return;
        }
        body.tryFail(new Refusal(Problem.TOO_LARGE));
        if (come > RequestBody.MOST_BYTES + MOST_DROPPED_BYTES) {
            request.connection().close();
        }
    }

    /** Negative where the caller did not tell it. The server has checked that it is a number. */
    private static long declaredLength(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return length == null ? -1 : Long.parseLong(length);
    }
}
