package gateway;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;

/** The routes: which scenario serves a request. */
final class Gateway {

    static final String UPSTREAM_PATH = "/service/EchoService";

    private static final String PASSTHROUGH = "/passthrough";
    private static final String TRANSFORM = "/transform";

    private final Upstream upstream;

    Gateway(Upstream upstream) {
        this.upstream = upstream;
    }

    /** Begins an exchange for the request, or refuses it. */
    void serve(HttpRequest request, ClientHandler caller) {
        String path = pathOf(request.uri());
        if (!path.equals(PASSTHROUGH) && !path.equals(TRANSFORM)) {
            caller.refuse(HttpResponseStatus.NOT_FOUND, "no such path");
        } else if (!request.method().equals(HttpMethod.POST)) {
            caller.refuse(HttpResponseStatus.METHOD_NOT_ALLOWED, "only POST");
        } else if (path.equals(PASSTHROUGH)) {
            caller.begin(new Passthrough(request, caller, upstream));
        } else {
            caller.begin(new Transform(request, caller, upstream));
        }
    }

    /** The query with its question mark, or nothing. */
    static String queryOf(String uri) {
        int start = uri.indexOf('?');
        return start < 0 ? "" : uri.substring(start);
    }

    private static String pathOf(String uri) {
        int end = uri.indexOf('?');
        return end < 0 ? uri : uri.substring(0, end);
    }
}
