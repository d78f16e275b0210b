package loadstone.conference;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/**
 * Spring's client on the way to country, above the JDK's, which is Spring Boot's choice. That keeps
 * connections without a limit to their number, so here is one to the attempts at the same time.
 */
@Component
class RestClientConnection implements CountryConnection {

    /** Attempts of the JDK's client at one request, which are several after a broken connection. */
    private static final String MOST_ATTEMPTS = "jdk.httpclient.redirects.retrylimit";

    private final String origin;
    private final long limitNanos;
    private final Semaphore connections;
    private final HttpClient http;
    private final RestClient client;

    /** When the attempt of this thread is over, as System.nanoTime has it. */
    private final ThreadLocal<Long> endNanos = new ThreadLocal<>();

    RestClientConnection(Config config) {
        this.origin = config.country().toString();
        this.limitNanos = config.countryTimeout().toNanos();
        this.connections = new Semaphore(config.countryConnections(), true);
        System.setProperty(MOST_ATTEMPTS, "1");
        this.http =
                HttpClient.newBuilder()
                        // By itself it would ask for HTTP/2 with each request.
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
        this.client = RestClient.builder().requestFactory(this::request).build();
    }

    @Override
    public Answer exchange(String path, byte[] body, int mostBytes)
            throws IOException, TimeoutException {
        long end = System.nanoTime() + limitNanos;
        acquireConnection();
        endNanos.set(end);
        try {
            Answer answer = send(path, body, mostBytes);
            if (System.nanoTime() < end) {
                return answer;
            }
            throw new TimeoutException();
        } catch (ResourceAccessException e) {
            if (System.nanoTime() < end) {
                throw new IOException(e.getMessage(), e);
            }
            throw new TimeoutException();
        } finally {
            endNanos.remove();
            connections.release();
        }
    }

    private void acquireConnection() throws IOException, TimeoutException {
        try {
            if (!connections.tryAcquire(limitNanos, TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private Answer send(String path, byte[] body, int mostBytes) {
        // Not as a text, which Spring would take for a template.
        URI uri = URI.create(origin + path);
        RestClient.RequestBodySpec request =
                client.method(body == null ? HttpMethod.GET : HttpMethod.POST).uri(uri);
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        return request.exchange((sent, response) -> read(response, mostBytes));
    }

    /** Each has what its attempt has left: Spring's limit ends with the last byte of the answer. */
    private ClientHttpRequest request(URI uri, HttpMethod method) throws IOException {
        var requests = new JdkClientHttpRequestFactory(http);
        long left = Math.max(endNanos.get() - System.nanoTime(), 1);
        requests.setReadTimeout(Duration.ofNanos(left));
        requests.enableCompression(false);
        return requests.createRequest(uri, method);
    }

    private static Answer read(ClientHttpResponse response, int mostBytes) throws IOException {
        try (InputStream body = response.getBody()) {
            return new Answer(response.getStatusCode().value(), body.readNBytes(mostBytes + 1));
        }
    }
}
