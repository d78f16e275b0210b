package loadstone.conference;

import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.client.BlockingHttpClient;
import io.micronaut.http.client.HttpClient;
import io.micronaut.http.client.annotation.Client;
import io.micronaut.http.client.exceptions.ContentLengthExceededException;
import io.micronaut.http.client.exceptions.HttpClientException;
import io.micronaut.http.client.exceptions.ReadTimeoutException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.TimeoutException;

/** Micronaut's client on the way to country. */
@Singleton
final class MicronautConnection implements CountryConnection {

    private static final Argument<byte[]> BYTES = Argument.of(byte[].class);
    private static final int OK = 200;

    private final BlockingHttpClient client;

    MicronautConnection(@Client("country") HttpClient client) {
        this.client = client.toBlocking();
    }

    @Override
    public Answer exchange(String path, byte[] body, int mostBytes)
            throws IOException, TimeoutException {
        HttpRequest<?> request =
                body == null
                        ? HttpRequest.GET(URI.create(path))
                        : HttpRequest.POST(URI.create(path), body)
                                .contentType(MediaType.APPLICATION_JSON_TYPE);
        try {
            HttpResponse<byte[]> response = client.exchange(request, BYTES, BYTES);
            return new Answer(response.code(), response.getBody().orElse(new byte[0]));
        } catch (ReadTimeoutException e) {
            throw new TimeoutException();
        } catch (ContentLengthExceededException e) {
            return new Answer(OK, new byte[mostBytes + 1]);
        } catch (HttpClientException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
