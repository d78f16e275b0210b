package gateway;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;

/** The environment that every stack takes, validated. */
record Config(int port, String upstreamHost, int upstreamPort, String upstreamAuthority) {

    private static final String H1C = "h1c";
    private static final int HTTP_PORT = 80;
    private static final int MOST_PORT = 65535;

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        for (String name : new String[] {"CLIENT_PROTOCOL", "UPSTREAM_PROTOCOL"}) {
            String protocol = environment.getOrDefault(name, "");
            if (!protocol.isEmpty() && !protocol.equals(H1C)) {
                throw wrong(name, "be " + H1C, protocol);
            }
        }
        int port = readPort(environment.getOrDefault("PORT", ""));
        URI upstream = readUpstream(environment.getOrDefault("UPSTREAM_URL", ""));
        int upstreamPort = upstream.getPort() < 0 ? HTTP_PORT : upstream.getPort();
        return new Config(port, host(upstream), upstreamPort, upstream.getRawAuthority());
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

    private static URI readUpstream(String text) {
        try {
            URI uri = new URI(text);
            if ("http".equals(uri.getScheme())
                    && uri.getHost() != null
                    && uri.getPort() <= MOST_PORT
                    && isOrigin(uri)) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // As wrong as any other text.
        }
        throw wrong("UPSTREAM_URL", "be like http://127.0.0.1:8688", text);
    }

    /** Whether there is nothing but scheme and authority: what else there is would be lost. */
    private static boolean isOrigin(URI uri) {
        String path = uri.getRawPath();
        return (path == null || path.isEmpty() || path.equals("/"))
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null
                && uri.getRawUserInfo() == null;
    }

    private static String host(URI uri) {
        String host = uri.getHost();
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    private static IllegalArgumentException wrong(String name, String rule, String value) {
        return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
    }
}
