package loadstone.users;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import java.io.IOException;
import java.net.URI;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;

/** Reactor Netty's client, asked by the one thread of the registration. */
final class NettyRegistry implements RegistryConnection {

    private static final String NAME = "registry";
    private static final String JSON = "application/json";

    private final HttpClient client;

    NettyRegistry(URI origin) {
        this.client =
                HttpClient.create(ConnectionProvider.create(NAME, 1))
                        // Its own, since the others end while it is still told of the end.
                        .runOn(LoopResources.create(NAME, 1, true))
                        .baseUrl(origin.toString())
                        .headers(fields -> fields.set(HttpHeaderNames.ACCEPT, JSON));
    }

    @Override
    public int exchange(String method, String path, byte[] body) throws IOException {
        HttpClient asked =
                body == null
                        ? client
                        : client.headers(
                                fields ->
                                        fields.set(HttpHeaderNames.CONTENT_TYPE, JSON)
                                                .setInt(
                                                        HttpHeaderNames.CONTENT_LENGTH,
                                                        body.length));
        HttpClient.RequestSender request = asked.request(HttpMethod.valueOf(method)).uri(path);
        HttpClient.ResponseReceiver<?> sent =
                body == null ? request : request.send(Mono.just(Unpooled.wrappedBuffer(body)));
        try {
            // Read to its end, the connection can be used again.
            Integer status =
                    sent.responseSingle(
                                    (response, content) ->
                                            content.asByteArray()
                                                    .then(Mono.just(response.status().code())))
                            .block(Limits.REGISTRY);
            return status == null ? 0 : status;
        } catch (RuntimeException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
