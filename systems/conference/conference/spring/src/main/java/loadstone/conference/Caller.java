package loadstone.conference;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.tomcat.util.net.SocketWrapperBase;

/** The other end of a connection of which no request is being read. */
final class Caller {

    private final SocketWrapperBase<?> connection;
    private final ByteBuffer ahead = ByteBuffer.allocate(1);
    private boolean isGone;

    Caller(SocketWrapperBase<?> connection) {
        this.connection = connection;
    }

    /** The caller of the request that this thread serves, whose body was read. */
    static Caller here() {
        return new Caller(CallerProtocol.connection());
    }

    /** Whether it ended the connection. Threads may ask for it at the same time. */
    synchronized boolean isGone() {
        hasSent();
        return isGone;
    }

    /** Whether there is something to read, which stays there. */
    synchronized boolean hasSent() {
        if (isGone) {
            return false;
        }
        try {
            int count = connection.read(false, ahead.clear());
            if (count > 0) {
                connection.unRead(ahead.flip());
            }
            isGone = count < 0;
            return count > 0;
        } catch (IOException e) {
            isGone = true;
            return false;
        }
    }
}
