package loadstone.conference;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** The caller of a request whose body was read. Threads may ask for it at the same time. */
final class Caller {

    private final SocketWrapperBase<?> connection;
    private final ByteBuffer ahead = ByteBuffer.allocate(1);
    private boolean isGone;

    private Caller(SocketWrapperBase<?> connection) {
        this.connection = connection;
    }

    /** The caller of the request that this thread serves. */
    static Caller here() {
        return new Caller(CallerProtocol.connection());
    }

    /**
     * Looks whether the connection has ended. What comes of a next request stays there to be read.
     */
    synchronized boolean isGone() {
        if (isGone) {
            return true;
        }
        try {
            int count = connection.read(false, ahead.clear());
            if (count > 0) {
                connection.unRead(ahead.flip());
            }
            isGone = count < 0;
        } catch (IOException e) {
            isGone = true;
        }
        return isGone;
    }
}
