package gateway;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;

/** The environment that every stack takes, validated. Files are null where no TLS needs them. */
record Config(
        String host,
        int port,
        Protocol clientProtocol,
        Protocol upstreamProtocol,
        URI upstream,
        File certificate,
        File key,
        File authority) {

    private static final int MOST_PORT = 65535;

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        Protocol client = readProtocol("CLIENT_PROTOCOL", environment);
        Protocol onward = readProtocol("UPSTREAM_PROTOCOL", environment);
        String host = readHost(environment.getOrDefault("HOST", "127.0.0.1"));
        int port = readPort(environment.getOrDefault("PORT", ""));
        URI upstream = readUpstream(environment.getOrDefault("UPSTREAM_URL", ""), onward.scheme());
        return new Config(
                host,
                port,
                client,
                onward,
                URI.create(onward.scheme() + "://" + upstream.getRawAuthority()),
                client.isTls() ? readFile("TLS_CERT", environment) : null,
                client.isTls() ? readFile("TLS_KEY", environment) : null,
                onward.isTls() ? readFile("TLS_CA", environment) : null);
    }

    private static Protocol readProtocol(String name, Map<String, String> environment) {
        String text = environment.getOrDefault(name, "");
        Protocol protocol = text.isEmpty() ? Protocol.H1C : Protocol.of(text);
        if (protocol == null) {
            throw wrong(name, "be one of " + Protocol.names(), text);
        }
        return protocol;
    }

    private static String readHost(String text) {
        if (!text.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
            throw wrong("HOST", "be an IPv4 address", text);
        }
        return text;
    }

    private static int readPort(String text) {
        String rule = "be a number from 0 to 65535";
        if (!text.matches("[0-9]{1,5}")) {
            throw wrong("PORT", rule, text);
        }
        int port = Integer.parseInt(text);
        if (port > MOST_PORT) {
            throw wrong("PORT", rule, text);
        }
        return port;
    }

    private static URI readUpstream(String text, String scheme) {
        try {
            URI uri = new URI(text);
            if (scheme.equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getPort() <= MOST_PORT
                    && isOrigin(uri)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // As wrong as any other text.
        }
        throw wrong("UPSTREAM_URL", "be like " + scheme + "://127.0.0.1:8688", text);
    }

    /** Whether there is nothing but scheme and authority: what else there is would be lost. */
    private static boolean isOrigin(URI uri) {
        String path = uri.getRawPath();
        return (path == null || path.isEmpty() || path.equals("/"))
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null
                && uri.getRawUserInfo() == null;
    }

    private static File readFile(String name, Map<String, String> environment) {
        String path = environment.getOrDefault(name, "");
        var file = new File(path);
        if (!file.isFile() || !file.canRead()) {
            throw wrong(name, "be a PEM file that can be read", path);
        }
        return file;
    }

    private static IllegalArgumentException wrong(String name, String rule, String value) {
        return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
    }
}
