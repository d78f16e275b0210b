package loadstone.conference;

import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.eclipse.microprofile.rest.client.inject.RestClient;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * Quarkus's REST client on the way to country. Where an attempt is over, it ends the connection.
 */
@Singleton
final class QuarkusConnection implements CountryConnection {

    private static final int OK = 200;
    private static final byte[] NOTHING = {};

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
        RestResponse<byte[]> response;
        try {
            response = attempt.await().atMost(limit);
        } catch (io.smallrye.mutiny.TimeoutException e) {
            throw new TimeoutException();
        } catch (RuntimeException e) {
            throw new IOException(String.valueOf(rootOf(e).getMessage()), e);
        }
        boolean isRead = response.getStatus() == OK && response.getEntity() != null;
        return new Answer(response.getStatus(), isRead ? response.getEntity() : NOTHING);
    }

    /** Mutiny and the client wrap what the connection says. */
    private static Throwable rootOf(Throwable failure) {
        return failure.getCause() == null ? failure : rootOf(failure.getCause());
    }
}
