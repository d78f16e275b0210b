package loadstone.conference;

import java.io.IOException;
import java.util.concurrent.locks.Lock;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1, with what it does not have by itself: the connection of the request that a
 * thread serves, since the API of servlets does not tell that a caller went away, and the end of
 * idle connections as soon as the service is to stop.
 */
public class CallerProtocol extends Http11NioProtocol {

    private static final ThreadLocal<SocketWrapperBase<?>> CONNECTION = new ThreadLocal<>();

    /** The connection of the request that this thread serves. */
    static SocketWrapperBase<?> connection() {
        return CONNECTION.get();
    }

    @Override
    protected Processor createProcessor() {
        return new Http11Processor(this, getAdapter()) {
            @Override
            public SocketState service(SocketWrapperBase<?> connection) throws IOException {
                CONNECTION.set(connection);
                try {
                    return super.service(connection);
                } finally {
                    CONNECTION.remove();
                }
            }
        };
    }

    @Override
    public void closeServerSocketGraceful() {
        super.closeServerSocketGraceful();
        getEndpoint().getConnections().forEach(CallerProtocol::closeIfIdle);
    }

    /** A thread that serves a connection holds its lock. */
    private static void closeIfIdle(SocketWrapperBase<?> connection) {
        Lock lock = connection.getLock();
        if (lock.tryLock()) {
            try {
                if (!new Caller(connection).hasSent()) {
                    connection.close();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
