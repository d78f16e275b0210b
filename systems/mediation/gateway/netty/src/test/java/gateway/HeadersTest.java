package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HeadersTest {

    @Test
    void hopByHopFieldsEndAndAllOthersStay() {
        var headers = new DefaultHttpHeaders();
        headers.add("Connection", "X-Named, keep-alive, Content-Length");
        headers.add("Connection", "X-Also");
        for (String name :
                List.of("X-Named", "X-Also", "Keep-Alive", "Proxy-Connection", "TE", "Upgrade")) {
            headers.add(name, "ends");
        }
        headers.add("Content-Length", "5");
        headers.add("X-Kept", "stays");
        Headers.removeHopByHop(headers);
        assertEquals(Set.of("Content-Length", "X-Kept"), headers.names());
    }

    @ParameterizedTest
    @CsvSource({
        "HTTP/1.1, chunked, false",
        "HTTP/1.1, Chunked, false",
        "HTTP/1.1, 'gzip, chunked', true",
        "HTTP/1.1, identity, true",
        "HTTP/1.1, xchunked, true",
        "HTTP/1.0, chunked, true",
    })
    void onlyChunkedOfVersion11SaysWhereAMessageEnds(String version, String coding, boolean is) {
        var head = new DefaultHttpRequest(HttpVersion.valueOf(version), HttpMethod.POST, "/");
        head.headers().add("Transfer-Encoding", coding);
        assertEquals(is, Headers.isAmbiguous(head));
    }
}
