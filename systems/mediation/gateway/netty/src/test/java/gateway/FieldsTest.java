package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FieldsTest {

    @Test
    void hopByHopFieldsEndAndAllOthersStay() {
        var headers = new DefaultHttpHeaders();
        headers.add("Connection", "X-Named, keep-alive, Content-Length");
        headers.add("Connection", "X-Also");
        for (String name :
                new String[] {
                    "X-Named", "X-Also", "Keep-Alive", "Proxy-Connection", "TE", "Upgrade"
                }) {
            headers.add(name, "ends");
        }
        headers.add("Content-Length", "5");
        headers.add("X-Kept", "stays");
        Fields.removeHopByHop(headers);
        assertEquals(Set.of("Content-Length", "X-Kept"), headers.names());
    }
}
