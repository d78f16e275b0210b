package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.concurrent.TimeoutException;

/** Vert.x's client on the way to country, with one pool for all event loops. */
final class VertxConnection implements CountryConnection {

    private static final int DEFAULT_PORT = 80;
    private static final int FORGOTTEN_AFTER_LIMITS = 2;

    private final Vertx vertx;
    private final HttpClient client;
    private final URI country;
    private final long timeoutMillis;

    VertxConnection(Vertx vertx, Config config) {
        this.vertx = vertx;
        this.country = config.country();
        this.timeoutMillis = config.countryTimeout().toMillis();
        this.client =
                vertx.httpClientBuilder()
                        .with(
                                new HttpClientOptions()
                                        .setProtocolVersion(HttpVersion.HTTP_1_1)
                                        .setKeepAlive(true)
                                        .setPipelining(false))
                        .with(new PoolOptions().setHttp1MaxSize(config.countryConnections()))
                        .build();
    }

    @Override
    public Future<Answer> exchange(String path, byte[] body, int mostBytes) {
        Promise<Answer> answer = Promise.promise();
        long timer =
                vertx.setTimer(
                        timeoutMillis,
                        over -> answer.tryFail(new TimeoutException("country took too long")));
        client.request(options(path, body))
                .onComplete(request -> send(request, body, mostBytes, answer), answer::tryFail);
        return answer.future().onComplete(ended -> vertx.cancelTimer(timer));
    }

    private RequestOptions options(String path, byte[] body) {
        RequestOptions options =
                new RequestOptions()
                        .setHost(country.getHost())
                        .setPort(country.getPort() < 0 ? DEFAULT_PORT : country.getPort())
                        .setURI(path)
                        // Ends what still waits for a connection. The timer above decides before.
                        .setConnectTimeout(FORGOTTEN_AFTER_LIMITS * timeoutMillis);
        return body == null
                ? options.setMethod(HttpMethod.GET)
                : options.setMethod(HttpMethod.POST)
                        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json");
    }

    private static void send(
            HttpClientRequest request, byte[] body, int mostBytes, Promise<Answer> answer) {
        answer.future().onFailure(failure -> request.reset());
        if (answer.future().isComplete()) {
            return; // its time was over before there was a connection
        }
        request.response()
                .onComplete(
                        response -> gather(request, response, mostBytes, answer), answer::tryFail);
        Future<Void> sent = body == null ? request.end() : request.end(Buffer.buffer(body));
        sent.onFailure(answer::tryFail);
    }

    private static void gather(
            HttpClientRequest request,
            HttpClientResponse response,
            int mostBytes,
            Promise<Answer> answer) {
        Buffer gathered = Buffer.buffer();
        response.exceptionHandler(answer::tryFail);
        response.handler(
                chunk -> {
                    if (gathered.length() <= mostBytes) {
                        gathered.appendBuffer(chunk);
                        if (gathered.length() > mostBytes) {
                            answer.tryComplete(
                                    new Answer(response.statusCode(), gathered.getBytes()));
                            request.reset();
                        }
                    }
                });
        response.endHandler(
                end -> answer.tryComplete(new Answer(response.statusCode(), gathered.getBytes())));
    }
}
