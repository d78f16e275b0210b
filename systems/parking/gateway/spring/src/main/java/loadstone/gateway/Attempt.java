package loadstone.gateway;

import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.timeout.ReadTimeoutException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;
import reactor.netty.channel.AbortedException;

/** One try to have a request answered by an instance. The context of the client has it. */
final class Attempt {

    private final Call call;
    private volatile boolean isConnected;
    private volatile boolean isRefused;

    Attempt(Call call) {
        this.call = call;
    }

    Call call() {
        return call;
    }

    /** There is a connection, or a stream on one. */
    void connected() {
        isConnected = true;
    }

    /** The service says that it did not process the request. */
    void refused() {
        isRefused = true;
    }

    /** Whether the failure is of the connection, and not of what came on it. */
    boolean isFailedBy(Throwable failure) {
        return !isLateBy(failure)
                && (!isConnected
                        || failure instanceof IOException
                        || failure instanceof AbortedException
                        || failure instanceof Http2Exception);
    }

    /** Whether the answer did not begin in time, or no stream was free for the request. */
    boolean isLateBy(Throwable failure) {
        return failure instanceof ReadTimeoutException || failure instanceof TimeoutException;
    }

    /** Whether another instance may be asked after a failed attempt. */
    boolean mayBeRepeated() {
        return !isConnected || (!call.hasBody() && (isRefused || call.isIdempotent()));
    }
}
