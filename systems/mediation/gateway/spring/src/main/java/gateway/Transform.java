package gateway;

import java.nio.ByteBuffer;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.ServerRequest;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.publisher.SynchronousSink;

/**
 * The scenario JSON to XML: the whole body is read and converted, on the event loop, since a body
 * of the limit takes but milliseconds; then a new request carries the document.
 */
@Component
class Transform {

    private static final int MAXIMUM_BODY_BYTES = 1 << 20;

    private final WebClient upstream;
    private final Headers headers;

    Transform(WebClient upstream, Headers headers) {
        this.upstream = upstream;
        this.headers = headers;
    }

    /** Writes the answer itself, as it comes; so there is no response to return. */
    Mono<ServerResponse> handle(ServerRequest request) {
        ServerWebExchange exchange = request.exchange();
        return DataBufferUtils.join(exchange.getRequest().getBody(), MAXIMUM_BODY_BYTES)
                .map(Transform::bytes)
                .defaultIfEmpty(new byte[0])
                .<byte[]>handle(Transform::convert)
                .flatMap(document -> send(document, exchange))
                .then(Mono.empty());
    }

    private static byte[] bytes(DataBuffer body) {
        byte[] bytes = new byte[body.readableByteCount()];
        body.read(bytes);
        DataBufferUtils.release(body);
        return bytes;
    }

    private static void convert(byte[] body, SynchronousSink<byte[]> documents) {
        try {
            documents.next(Conversion.convert(ByteBuffer.wrap(body)));
        } catch (Conversion.Refused e) {
            documents.error(e);
        }
    }

    private Mono<Void> send(byte[] document, ServerWebExchange exchange) {
        return upstream.post()
                .uri(Gateway.UPSTREAM_PATH)
                .contentType(MediaType.APPLICATION_XML)
                .bodyValue(document)
                .exchangeToMono(answer -> relay(answer, exchange));
    }

    private Mono<Void> relay(ClientResponse answer, ServerWebExchange exchange) {
        ServerHttpResponse response = exchange.getResponse();
        response.setStatusCode(answer.statusCode());
        response.getHeaders().addAll(headers.ofAnswer(answer.headers().asHttpHeaders(), exchange));
        // A write that ends keeps it to itself while it waits for the next part of the body.
        Sinks.Empty<Void> callerGone = Sinks.empty();
        Flux<DataBuffer> body =
                answer.body(BodyExtractors.toDataBuffers()).takeUntilOther(callerGone.asMono());
        return response.writeWith(body).doFinally(end -> callerGone.tryEmitEmpty());
    }
}
