package loadstone.users;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.Lock;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1, which ends idle connections as soon as the service is to stop. Those of HTTP/2
 * are told to go away by Tomcat itself.
 */
public class CallerProtocol extends Http11NioProtocol {

    @Override
    public void closeServerSocketGraceful() {
        super.closeServerSocketGraceful();
        if (findUpgradeProtocols().length == 0) {
            getEndpoint().getConnections().forEach(CallerProtocol::closeIfIdle);
        }
    }

    /** A thread that serves a connection holds its lock. */
    private static void closeIfIdle(SocketWrapperBase<?> connection) {
        Lock lock = connection.getLock();
        if (lock.tryLock()) {
            try {
                if (!hasSent(connection)) {
                    connection.close();
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /** Whether there is a request to read, which stays there. */
    private static boolean hasSent(SocketWrapperBase<?> connection) {
        ByteBuffer ahead = ByteBuffer.allocate(1);
        try {
            int count = connection.read(false, ahead);
            if (count > 0) {
                connection.unRead(ahead.flip());
            }
            return count > 0;
        } catch (IOException | IllegalStateException e) {
            return false; // it is broken, or its handshake over TLS is not at an end
        }
    }
}
