package loadstone.gateway;

import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.resolver.DefaultAddressResolverGroup;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/**
 * Asks the registry again and again where the service is. Netflix's own client is not used: its
 * pauses and limits are others.
 */
final class Discovery {

    private static final String LIST = "/eureka/apps";

    /** Of a request, and of the pause behind it. */
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static final int OK = 200;
    private static final int MOST_PORT = 65_535;
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.-]+");

    private final Config config;
    private final Instances instances;
    private Disposable asking;

    Discovery(Config config, Instances instances) {
        this.config = config;
        this.instances = instances;
    }

    /** Goes on until the end. Waits for nothing. */
    void begin() {
        if (config.registry() == null) {
            return;
        }
        HttpClient client =
                HttpClient.create(ConnectionProvider.create("registry", 1))
                        .protocol(HttpProtocol.HTTP11)
                        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) SECOND.toMillis())
                        .resolver(DefaultAddressResolverGroup.INSTANCE)
                        .headers(fields -> fields.set(HttpHeaderNames.ACCEPT, "application/json"));
        asking =
                ask(client)
                        .onErrorResume(Discovery::complain)
                        .then(Mono.delay(SECOND))
                        .repeat()
                        .subscribe();
    }

    void end() {
        if (asking != null) {
            asking.dispose();
        }
    }

    private Mono<Void> ask(HttpClient client) {
        return client.get()
                .uri(config.registry() + LIST)
                .responseSingle(
                        (head, body) ->
                                head.status().code() == OK
                                        ? body.asByteArray()
                                        : Mono.error(new IOException("status " + head.status())))
                .switchIfEmpty(Mono.error(() -> new IOException("it answers nothing")))
                .timeout(SECOND)
                .flatMap(this::take);
    }

    private Mono<Void> take(byte[] list) {
        try {
            instances.replace(origins(Json.object(list), config.upstreamProtocol()));
            return Mono.empty();
        } catch (Json.Malformed e) {
            return Mono.error(e);
        }
    }

    private static Mono<Void> complain(Throwable failure) {
        FailureLog.write("registry", FailureLog.reason(failure));
        return Mono.empty();
    }

    /** Gives scheme and authority of each instance in a list that speaks what the leg does. */
    static List<String> origins(Map<?, ?> list, Protocol leg) throws Json.Malformed {
        if (!(list.get("applications") instanceof Map<?, ?> applications)
                || !(applications.get("application") instanceof List<?> all)) {
            throw new Json.Malformed(null);
        }
        var origins = new ArrayList<String>();
        for (Object each : all) {
            if (each instanceof Map<?, ?> application
                    && "USERS".equals(application.get("name"))
                    && application.get("instance") instanceof List<?> instances) {
                instances.forEach(instance -> addOrigin(origins, instance, leg));
            }
        }
        return origins;
    }

    private static void addOrigin(List<String> origins, Object described, Protocol leg) {
        if (described instanceof Map<?, ?> instance
                && "UP".equals(instance.get("status"))
                && instance.get("hostName") instanceof String host
                && HOST.matcher(host).matches()
                && instance.get(leg.isTls() ? "securePort" : "port") instanceof Map<?, ?> port
                && "true".equals(String.valueOf(port.get("@enabled")))
                && port.get("$") instanceof Integer number
                && number >= 1
                && number <= MOST_PORT) {
            origins.add(leg.scheme() + "://" + host + ":" + number);
        }
    }
}
