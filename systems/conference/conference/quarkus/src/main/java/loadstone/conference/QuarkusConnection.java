package loadstone.conference;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import jakarta.ws.rs.ProcessingException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.resteasy.reactive.RestResponse;

/** Quarkus's REST client on the way to country. */
@Singleton
final class QuarkusConnection implements CountryConnection {

    private final CountryApi country;
    private final String origin;
    private final Duration limit;

    QuarkusConnection(@RestClient CountryApi country, Config config) {
        this.country = country;
        this.origin = config.country().toString();
        this.limit = config.countryTimeout();
    }

    @Override
    public Answer exchange(String path, byte[] body, int mostBytes)
            throws IOException, TimeoutException {
        URI target = URI.create(origin + path);
        Uni<RestResponse<byte[]>> attempt =
                body == null ? country.get(target) : country.post(target, body);
        try {
            RestResponse<byte[]> response = attempt.await().atMost(limit);
            byte[] entity = response.getEntity();
            return new Answer(response.getStatus(), entity == null ? new byte[0] : entity);
        } catch (io.smallrye.mutiny.TimeoutException e) {
            throw new TimeoutException();
        } catch (ProcessingException e) {
            if (e.getCause() instanceof TimeoutException) {
                throw new TimeoutException();
            }
            throw new IOException(e.getMessage(), e);
        }
    }
}
