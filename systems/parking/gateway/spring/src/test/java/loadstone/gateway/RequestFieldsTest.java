package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;

class RequestFieldsTest {

    private static final Config CONFIG =
            Config.read(
                    Map.of(
                            "PORT", "0",
                            "STATIC_INSTANCES", "users=http://127.0.0.1:1",
                            "JWT_SECRET", "0123456789abcdef0123456789abcdef"));

    private final HttpHeaders sent = new HttpHeaders();

    @Test
    void whatIsOfOneHopEnds() {
        sent.set("Host", "park");
        sent.add("Connection", "keep-alive, X-Named");
        sent.add("connection", "x-other");
        for (String name :
                List.of("X-Named", "X-Other", "Keep-Alive", "TE", "Upgrade", "Authorization")) {
            sent.set(name, "x");
        }
        sent.addAll("X-Repeated", List.of("a", "b"));
        HttpHeaders passing = passing("GET", null);
        for (String name : List.of("Connection", "X-Named", "X-Other", "Keep-Alive", "TE")) {
            assertNull(passing.get(name), name);
        }
        assertNull(passing.get("Upgrade"));
        assertNull(passing.get("Authorization"));
        assertEquals(List.of("a", "b"), passing.get("X-Repeated"));
    }

    @Test
    void theIdentityIsTheTokens() {
        sent.addAll("x-user-id", List.of("5", "6"));
        sent.set("X-USER-ROLE", "SUPERVISOR");
        sent.set("Connection", "X-User-Id");
        HttpHeaders passing = passing("GET", new Identity("1", "CUSTOMER"));
        assertEquals(List.of("1"), passing.get("X-User-Id"));
        assertEquals(List.of("CUSTOMER"), passing.get("X-User-Role"));
        HttpHeaders open = passing("POST", null);
        assertNull(open.get("X-User-Id"));
        assertNull(open.get("X-User-Role"));
    }

    @Test
    void whereARequestCameFromIsTheGateways() {
        sent.set("Host", "park.example");
        sent.addAll("X-Forwarded-For", List.of("192.0.2.1", "192.0.2.2"));
        sent.set("X-Forwarded-Host", "other");
        HttpHeaders passing = passing("GET", null);
        assertEquals(List.of("127.0.0.9"), passing.get("X-Forwarded-For"));
        assertEquals(List.of("http"), passing.get("X-Forwarded-Proto"));
        assertEquals(List.of("park.example"), passing.get("X-Forwarded-Host"));
        assertEquals(List.of("0123456789"), passing.get("X-Request-Id"));
    }

    @Test
    void aBodyIsFramedAnew() {
        assertEquals(List.of("0"), passing("POST", null).get("Content-Length"));
        assertNull(passing("GET", null).get("Content-Length"));
        sent.set("Transfer-Encoding", "chunked");
        assertEquals(List.of("chunked"), passing("GET", null).get("Transfer-Encoding"));
        sent.remove("Transfer-Encoding");
        sent.set("Content-Length", "5");
        assertEquals(List.of("5"), passing("DELETE", null).get("Content-Length"));
        assertNull(passing("DELETE", null).get("Transfer-Encoding"));
    }

    private HttpHeaders passing(String method, Identity identity) {
        var call = new Call(method, Target.of("/users"), sent, "0123456789", identity);
        return RequestFields.of(call, "127.0.0.9", CONFIG);
    }
}
