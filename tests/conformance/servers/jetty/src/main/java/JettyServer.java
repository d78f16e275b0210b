import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import org.eclipse.jetty.alpn.server.ALPNServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.http2.server.HTTP2ServerConnectionFactory;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Jetty for the conformance tests, on one free port for each protocol. Its only argument is the
 * folder with server.p12; its only line of output is a JSON object from protocol to port.
 */
public final class JettyServer {
    public static void main(String[] arguments) throws Exception {
        SslContextFactory.Server tls = new SslContextFactory.Server();
        tls.setKeyStorePath(arguments[0] + "/server.p12");
        tls.setKeyStorePassword("conformance");
        // The tests ask for an address, which has no name to choose a certificate by.
        tls.setSniRequired(false);
        HttpConfiguration configuration = new HttpConfiguration();
        HttpConnectionFactory http1 = new HttpConnectionFactory(configuration);
        Server server = new Server();
        Map<String, ServerConnector> connectors = new LinkedHashMap<>();
        connectors.put("h1c", connector(server, http1));
        connectors.put("h1", connector(server, new SslConnectionFactory(tls, "http/1.1"), http1));
        connectors.put("h2c", connector(server, new HTTP2CServerConnectionFactory(configuration)));
        connectors.put(
                "h2",
                connector(
                        server,
                        new SslConnectionFactory(tls, "alpn"),
                        new ALPNServerConnectionFactory("h2"),
                        new HTTP2ServerConnectionFactory(configuration)));
        server.setHandler(new Answers());
        server.start();
        StringJoiner ports = new StringJoiner(", ", "{", "}");
        connectors.forEach((name, it) -> ports.add("\"" + name + "\": " + it.getLocalPort()));
        System.out.println(ports);
    }

    private static ServerConnector connector(Server server, ConnectionFactory... factories) {
        ServerConnector connector = new ServerConnector(server, factories);
        connector.setHost(InetAddress.getLoopbackAddress().getHostAddress());
        server.addConnector(connector);
        return connector;
    }
}
