package loadstone.users;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The client of the JDK. */
final class JdkRegistry implements RegistryConnection {

    private static final String JSON = "application/json";

    private final URI origin;

    private final HttpClient client =
            HttpClient.newBuilder()
                    // By itself it would ask for HTTP/2 with each request.
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(Limits.REGISTRY)
                    .build();

    JdkRegistry(URI origin) {
        this.origin = origin;
    }

    @Override
    public int exchange(String method, String path, byte[] body) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(origin + path))
                        .timeout(Limits.REGISTRY)
                        .header("Accept", JSON);
        if (body == null) {
            request.method(method, HttpRequest.BodyPublishers.noBody());
        } else {
            request.header("Content-Type", JSON)
                    .method(method, HttpRequest.BodyPublishers.ofByteArray(body));
        }
        CompletableFuture<HttpResponse<Void>> answer =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.discarding());
        try {
            // The limit of the request itself ends with the head of the answer.
            return answer.get(Limits.REGISTRY.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (TimeoutException | ExecutionException e) {
            answer.cancel(true);
            throw new IOException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
