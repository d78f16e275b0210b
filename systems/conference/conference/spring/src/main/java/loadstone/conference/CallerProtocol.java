package loadstone.conference;

import java.io.IOException;
import org.apache.coyote.Processor;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.coyote.http11.Http11Processor;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Tomcat's HTTP/1.1, which besides knows the connection of the request that a thread serves. The
 * API of servlets does not tell that a caller went away.
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
}
