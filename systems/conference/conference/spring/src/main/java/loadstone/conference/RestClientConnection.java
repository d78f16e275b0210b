package loadstone.conference;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.concurrent.TimeoutException;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Spring's client on the way to country. */
@Component
class RestClientConnection implements CountryConnection {

    private final String origin;
    private final CountryRequests requests;
    private final RestClient client;

    RestClientConnection(Config config) {
        this.origin = config.country().toString();
        this.requests = new CountryRequests(config);
        this.client = RestClient.builder().requestFactory(requests).build();
    }

    @Override
    public Answer exchange(String path, byte[] body, int mostBytes)
            throws IOException, TimeoutException {
        // Not as a text, which Spring would take for a template.
        URI uri = URI.create(origin + path);
        RestClient.RequestBodySpec request =
                client.method(body == null ? HttpMethod.GET : HttpMethod.POST).uri(uri);
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        try {
            return request.exchange((sent, response) -> read(response, mostBytes));
        } catch (ResourceAccessException e) {
            if (requests.isOver()) {
                throw new TimeoutException();
            }
            requests.closeIdle();
            throw new IOException(e.getMessage(), e);
        } finally {
            requests.end();
        }
    }

    private static Answer read(ClientHttpResponse response, int mostBytes) throws IOException {
        try (InputStream body = response.getBody()) {
            return new Answer(response.getStatusCode().value(), body.readNBytes(mostBytes + 1));
        }
    }
}
