package loadstone.gateway;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The environment that every stack takes, validated. Files are null where no TLS needs them. There
 * is a registry, or there are instances; the other one is null. So is an origin where none is
 * allowed.
 */
record Config(
        String host,
        int port,
        Protocol clientProtocol,
        Protocol upstreamProtocol,
        File certificate,
        File key,
        File authority,
        List<String> instances,
        String registry,
        String tokenSecret,
        Duration upstreamTimeout,
        String allowedOrigin) {

    private static final int MOST_PORT = 65_535;
    private static final int MOST_INSTANCES = 16;
    private static final int MOST_TIMEOUT_MILLIS = 60_000;
    private static final int LEAST_SECRET = 32;
    private static final int MOST_SECRET = 256;
    private static final String STATIC = "static";
    private static final String EUREKA = "eureka";
    private static final String SERVICE = "users=";

    /** Reads the variables. Throws IllegalArgumentException, whose message names the wrong one. */
    static Config read(Map<String, String> environment) {
        var variables = new Variables(environment);
        String host = variables.address("HOST");
        int port = variables.number("PORT", "", 0, MOST_PORT);
        Protocol client = variables.protocol("CLIENT_PROTOCOL");
        Protocol upstream = variables.protocol("UPSTREAM_PROTOCOL");
        variables.word("DISCOVERY_PROTOCOL", "h1c", List.of("h1c"));
        boolean isStatic =
                variables.word("REGISTRY", STATIC, List.of(STATIC, EUREKA)).equals(STATIC);
        return new Config(
                host,
                port,
                client,
                upstream,
                client.isTls() ? variables.file("TLS_CERT") : null,
                client.isTls() ? variables.file("TLS_KEY") : null,
                upstream.isTls() ? variables.file("TLS_CA") : null,
                isStatic ? variables.instances("STATIC_INSTANCES", upstream.scheme()) : null,
                isStatic ? null : variables.registry("REGISTRY_URL"),
                variables.secret("JWT_SECRET"),
                Duration.ofMillis(
                        variables.number("UPSTREAM_TIMEOUT_MS", "5000", 1, MOST_TIMEOUT_MILLIS)),
                variables.allowedOrigin("ALLOWED_ORIGIN"));
    }

    /** The texts, each read as what it means. */
    private record Variables(Map<String, String> environment) {

        private String address(String name) {
            String text = environment.getOrDefault(name, "127.0.0.1");
            if (!text.matches("([0-9]{1,3}\\.){3}[0-9]{1,3}")) {
                throw wrong(name, "be an IPv4 address", text);
            }
            return text;
        }

        private int number(String name, String otherwise, int least, int most) {
            String text = environment.getOrDefault(name, otherwise);
            if (text.matches("[0-9]{1,9}")) {
                int number = Integer.parseInt(text);
                if (number >= least && number <= most) {
                    return number;
                }
            }
            throw wrong(name, "be a number from " + least + " to " + most, text);
        }

        private String word(String name, String otherwise, List<String> words) {
            String text = environment.getOrDefault(name, otherwise);
            if (!words.contains(text)) {
                throw wrong(name, "be one of " + String.join(", ", words), text);
            }
            return text;
        }

        private Protocol protocol(String name) {
            return Protocol.of(word(name, "h1c", Protocol.names()));
        }

        private File file(String name) {
            String path = environment.getOrDefault(name, "");
            var file = new File(path);
            if (!file.isFile() || !file.canRead()) {
                throw wrong(name, "be a PEM file that can be read", path);
            }
            return file;
        }

        /** Scheme and authority of each. */
        private List<String> instances(String name, String scheme) {
            String text = environment.getOrDefault(name, "");
            var instances = new ArrayList<String>();
            if (text.startsWith(SERVICE)) {
                for (String url : text.substring(SERVICE.length()).split(",", -1)) {
                    instances.add(origin(url, scheme));
                }
            }
            if (instances.isEmpty()
                    || instances.contains(null)
                    || instances.size() > MOST_INSTANCES) {
                String rule = "be like users=" + scheme + "://127.0.0.1:8090, of 1 to 16 URLs";
                throw wrong(name, rule, text);
            }
            return instances;
        }

        private String registry(String name) {
            String text = environment.getOrDefault(name, "");
            String origin = origin(text, "http");
            if (origin == null) {
                throw wrong(name, "be like http://127.0.0.1:8761", text);
            }
            return origin;
        }

        private String allowedOrigin(String name) {
            String text = environment.get(name);
            if (text != null && !text.matches("https?://[A-Za-z0-9.\\[\\]:-]+")) {
                throw wrong(name, "be like https://park.example", text);
            }
            return text;
        }

        /** Gives scheme and authority of a URL that has nothing else, or null. */
        private static String origin(String text, String scheme) {
            try {
                URI uri = new URI(text);
                return scheme.equals(uri.getScheme())
                                && uri.getHost() != null
                                && uri.getPort() <= MOST_PORT
                                && isOrigin(uri)
                        ? scheme + "://" + uri.getRawAuthority()
                        : null;
            } catch (URISyntaxException e) {
                return null;
            }
        }

        private static boolean isOrigin(URI uri) {
            String path = uri.getRawPath();
            return (path == null || path.isEmpty() || path.equals("/"))
                    && uri.getRawQuery() == null
                    && uri.getRawFragment() == null
                    && uri.getRawUserInfo() == null;
        }

        /** Its value is not shown. */
        private String secret(String name) {
            String text = environment.getOrDefault(name, "");
            if (!text.matches("[!-~]{" + LEAST_SECRET + "," + MOST_SECRET + "}")) {
                throw new IllegalArgumentException(
                        name + " must be 32 to 256 characters of visible ASCII");
            }
            return text;
        }

        private static IllegalArgumentException wrong(String name, String rule, String value) {
            return new IllegalArgumentException(name + " must " + rule + ", not \"" + value + "\"");
        }
    }
}
