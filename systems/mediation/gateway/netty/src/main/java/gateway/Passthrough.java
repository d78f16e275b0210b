package gateway;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;

/** The scenario pass-through: head and parts of the request go on as they come. */
final class Passthrough extends Exchange {

    private final HttpRequest request;
    private final String authority;

    Passthrough(HttpRequest request, ClientHandler caller, Upstream upstream) {
        super(caller, upstream);
        this.request = request;
        this.authority = upstream.authority();
    }

    @Override
    void begin() {
        caller.goOnIfExpected(request);
        connect();
    }

    @Override
    protected HttpRequest onward() {
        var onward =
                new DefaultHttpRequest(
                        HttpVersion.HTTP_1_1,
                        HttpMethod.POST,
                        Gateway.UPSTREAM_PATH + Gateway.queryOf(request.uri()),
                        request.headers());
        Headers.removeHopByHop(onward.headers());
        onward.headers().remove(HttpHeaderNames.EXPECT); // met already
        onward.headers().set(HttpHeaderNames.HOST, authority);
        Headers.frame(onward);
        return onward;
    }

    @Override
    boolean canTake() {
        return isConnected();
    }

    @Override
    void take(HttpContent part) {
        // Trailers are announced hop by hop, by `TE` and `Trailer`, which end here.
        if (part instanceof LastHttpContent last && !last.trailingHeaders().isEmpty()) {
            last.trailingHeaders().clear();
        }
        write(part);
    }
}
