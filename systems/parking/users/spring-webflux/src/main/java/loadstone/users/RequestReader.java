package loadstone.users;

import java.io.ByteArrayOutputStream;
import java.util.function.Function;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.stereotype.Component;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** The bodies, which operations read by themselves: Spring would be lenient with them. */
@Component
class RequestReader {

    private final Json json;

    RequestReader(Json json) {
        this.json = json;
    }

    /** Reads the whole body, and gives what is made of the JSON value. Fails with a Refusal. */
    <T> Mono<T> body(ServerHttpRequest request, Function<Object, T> validation) {
        HttpHeaders headers = request.getHeaders();
        if (headers.getContentLength() > RequestBody.MOST_BYTES) {
            return Mono.error(new Refusal(Problem.TOO_LARGE));
        }
        String type = headers.getFirst(HttpHeaders.CONTENT_TYPE);
        return bytes(request).map(bytes -> validation.apply(RequestBody.value(bytes, type, json)));
    }

    private static Mono<byte[]> bytes(ServerHttpRequest request) {
        return Mono.create(sink -> request.getBody().subscribe(new Collector(sink)));
    }

    /**
     * Gives the body, or as soon as it came one byte more than it may have. What is behind that is
     * read and dropped, so that the answer arrives.
     */
    private static final class Collector extends BaseSubscriber<DataBuffer> {

        private final MonoSink<byte[]> sink;
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private boolean isGiven;

        private Collector(MonoSink<byte[]> sink) {
            this.sink = sink;
        }

        @Override
        protected void hookOnNext(DataBuffer buffer) {
            int wanted = RequestBody.MOST_BYTES + 1 - bytes.size();
            byte[] part = new byte[Math.min(buffer.readableByteCount(), wanted)];
            buffer.read(part);
            DataBufferUtils.release(buffer);
            bytes.writeBytes(part);
            if (bytes.size() > RequestBody.MOST_BYTES) {
                give();
            }
        }

        @Override
        protected void hookOnComplete() {
            give();
        }

        /** The body did not come. */
        @Override
        protected void hookOnError(Throwable failure) {
            sink.error(new Refusal(Problem.MALFORMED));
        }

        private void give() {
            if (!isGiven) {
                isGiven = true;
                sink.success(bytes.toByteArray());
            }
        }
    }
}
