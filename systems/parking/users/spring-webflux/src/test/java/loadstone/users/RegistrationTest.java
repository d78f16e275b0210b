package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RegistrationTest {

    private static final String INSTANCE = "/eureka/apps/USERS/users-8090";

    /** Answers with one status, or not at all where that is 0. */
    private static final class Registry implements RegistryConnection {

        private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
        private volatile int status = 200;
        private volatile String body;

        @Override
        public int exchange(String method, String path, byte[] body) throws IOException {
            if (body != null) {
                this.body = new String(body, StandardCharsets.UTF_8);
            }
            int status = this.status; // of now: the test changes it once it has the request
            requests.add(method + " " + path);
            if (status == 0) {
                throw new IOException("refused");
            }
            return status;
        }

        private String next() throws InterruptedException {
            return requests.poll(5, TimeUnit.SECONDS);
        }
    }

    private final Registry registry = new Registry();
    private final Registration registration = new Registration(registry, "127.0.0.2", false);

    @AfterEach
    void end() {
        registration.end();
    }

    @Test
    void itRegistersAndBeats() throws InterruptedException {
        registration.begin(8090);
        assertEquals("POST /eureka/apps/USERS", registry.next());
        assertEquals(
                "{\"instance\":{\"instanceId\":\"users-8090\",\"hostName\":\"127.0.0.2\","
                        + "\"app\":\"USERS\",\"ipAddr\":\"127.0.0.2\",\"vipAddress\":\"users\","
                        + "\"status\":\"UP\",\"port\":{\"$\":8090,\"@enabled\":\"true\"},"
                        + "\"securePort\":{\"$\":8090,\"@enabled\":\"false\"},"
                        + "\"dataCenterInfo\":{\"@class\":"
                        + "\"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo\","
                        + "\"name\":\"MyOwn\"},\"leaseInfo\":{\"renewalIntervalInSecs\":1,"
                        + "\"durationInSecs\":3},\"metadata\":{}}}",
                registry.body);
        assertEquals("PUT " + INSTANCE, registry.next());
        assertEquals("PUT " + INSTANCE, registry.next());
    }

    @Test
    void whoIsNotKnownRegistersAgain() throws InterruptedException {
        registration.begin(8090);
        assertEquals("POST /eureka/apps/USERS", registry.next());
        registry.status = 404;
        assertEquals("PUT " + INSTANCE, registry.next());
        assertEquals("POST /eureka/apps/USERS", registry.next());
        registry.status = 204;
        assertEquals("POST /eureka/apps/USERS", registry.next());
        assertEquals("PUT " + INSTANCE, registry.next());
    }

    @Test
    void afterAFailureItTriesAgain() throws InterruptedException {
        registry.status = 0;
        registration.begin(8090);
        assertEquals("POST /eureka/apps/USERS", registry.next());
        assertEquals("POST /eureka/apps/USERS", registry.next());
    }

    @Test
    void theEndDeregisters() throws InterruptedException {
        registration.begin(8090);
        assertEquals("POST /eureka/apps/USERS", registry.next());
        registry.status = 0;
        registration.end();
        assertTimeout(Duration.ofSeconds(2), registration::awaitEnd);
        assertEquals("DELETE " + INSTANCE, registry.next());
        assertNull(registry.requests.poll(1500, TimeUnit.MILLISECONDS));
    }

    @Test
    void withoutARegistryItDoesNothing() {
        var none = new Registration(null, "127.0.0.2", true);
        none.begin(8090);
        none.end();
        none.awaitEnd();
    }
}
