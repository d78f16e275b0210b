package loadstone.users;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Spring's client above the JDK's, which is Spring Boot's choice. */
final class RestClientRegistry implements RegistryConnection {

    private final URI origin;
    private final RestClient client;

    RestClientRegistry(URI origin) {
        this.origin = origin;
        HttpClient http =
                HttpClient.newBuilder()
                        // By itself it would ask for HTTP/2 with each request.
                        .version(HttpClient.Version.HTTP_1_1)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .connectTimeout(Limits.REGISTRY)
                        .build();
        var requests = new JdkClientHttpRequestFactory(http);
        requests.setReadTimeout(Limits.REGISTRY);
        requests.enableCompression(false);
        this.client = RestClient.builder().requestFactory(requests).build();
    }

    @Override
    public int exchange(String method, String path, byte[] body) throws IOException {
        RestClient.RequestBodySpec request =
                client.method(HttpMethod.valueOf(method))
                        // Not as a text, which Spring would take for a template.
                        .uri(URI.create(origin + path))
                        .accept(MediaType.APPLICATION_JSON);
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        try {
            return request.exchange((sent, response) -> response.getStatusCode().value());
        } catch (RestClientException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
