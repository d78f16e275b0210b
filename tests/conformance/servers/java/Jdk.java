import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.concurrent.Executors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * The JDK's own server for the conformance tests, on one free port for each protocol. Its only
 * argument is the folder with server.p12; its only line of output is a JSON object from protocol to
 * port.
 */
public final class Jdk {
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";
    private static final char[] PASSWORD = "conformance".toCharArray();

    public static void main(String[] arguments) throws Exception {
        InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        HttpServer cleartext = HttpServer.create(anyPort, 0);
        HttpsServer secure = HttpsServer.create(anyPort, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(context(arguments[0])));
        for (HttpServer server : new HttpServer[] {cleartext, secure}) {
            server.setExecutor(Executors.newFixedThreadPool(8));
            server.createContext("/", Jdk::answer);
            server.start();
        }
        System.out.printf(
                "{\"h1c\": %d, \"h1\": %d}%n",
                cleartext.getAddress().getPort(), secure.getAddress().getPort());
    }

    private static SSLContext context(String folder) throws Exception {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (FileInputStream file = new FileInputStream(folder + "/server.p12")) {
            keys.load(file, PASSWORD);
        }
        KeyManagerFactory managers = KeyManagerFactory.getInstance("SunX509");
        managers.init(keys, PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String[] path = exchange.getRequestURI().getPath().split("/");
            byte[] received = exchange.getRequestBody().readAllBytes();
            switch (path[1]) {
                case "bytes" -> answer(exchange, bodyOf(Integer.parseInt(path[2])), false);
                case "chunked" -> answer(exchange, bodyOf(Integer.parseInt(path[2])), true);
                case "echo" -> answer(exchange, received, false);
                default -> exchange.sendResponseHeaders(Integer.parseInt(path[2]), -1);
            }
        }
    }

    private static void answer(HttpExchange exchange, byte[] body, boolean isChunked)
            throws IOException {
        // To this server a length of 0 means chunks, and -1 means no body.
        if (exchange.getRequestMethod().equals("HEAD")) {
            if (!isChunked) {
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
            }
            exchange.sendResponseHeaders(200, -1);
        } else if (body.length == 0 && !isChunked) {
            exchange.sendResponseHeaders(200, -1);
        } else {
            exchange.sendResponseHeaders(200, isChunked ? 0 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    /** The end of a body names its length, so that a wrong or cut one cannot pass for right. */
    private static byte[] bodyOf(int length) {
        if (length == 0) {
            return new byte[0];
        }
        String marker = "|end of " + length + " bytes|";
        String letters = LETTERS.repeat(length / LETTERS.length() + 1);
        String body = letters.substring(0, length - marker.length()) + marker;
        return body.getBytes(StandardCharsets.US_ASCII);
    }
}
