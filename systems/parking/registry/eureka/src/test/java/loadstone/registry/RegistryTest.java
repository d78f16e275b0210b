package loadstone.registry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** The real server with its settings. */
@Timeout(60)
class RegistryTest {

    private static final String APPLICATION = "/eureka/apps/users";
    private static final String INSTANCE = APPLICATION + "/users-8090";

    private static final String BODY =
            """
            {"instance":{"instanceId":"users-8090","hostName":"127.0.0.1","app":"USERS",\
            "ipAddr":"127.0.0.1","vipAddress":"users","status":"UP",\
            "port":{"$":8090,"@enabled":"true"},"securePort":{"$":8090,"@enabled":"false"},\
            "dataCenterInfo":{"@class":"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo",\
            "name":"MyOwn"},"leaseInfo":{"renewalIntervalInSecs":1,"durationInSecs":3},\
            "metadata":{}}}""";

    private static ConfigurableApplicationContext context;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @BeforeAll
    static void start() {
        context = Main.start(Config.read(Map.of("PORT", "0")));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @AfterEach
    void deregister() throws Exception {
        ask("DELETE", INSTANCE, "");
    }

    @Test
    void anInstanceIsRegisteredAndListedAtOnce() throws Exception {
        assertFalse(list().contains("users-8090"));
        assertEquals(204, ask("POST", APPLICATION, BODY).statusCode());
        String list = list();
        assertTrue(list.contains("\"name\":\"USERS\",\"instance\":[{"), list);
        assertTrue(list.contains("\"port\":{\"$\":8090,\"@enabled\":\"true\"}"), list);
        assertEquals(200, ask("PUT", INSTANCE, "").statusCode());
        assertEquals(200, ask("DELETE", INSTANCE, "").statusCode());
        assertFalse(list().contains("users-8090"));
    }

    @Test
    void whoIsNotKnownIsTold() throws Exception {
        assertEquals(404, ask("PUT", INSTANCE, "").statusCode());
        assertEquals(404, ask("DELETE", INSTANCE, "").statusCode());
        assertEquals(404, ask("GET", APPLICATION, "").statusCode());
    }

    @Test
    void anOverrideSurvivesHeartbeats() throws Exception {
        ask("POST", APPLICATION, BODY);
        String status = INSTANCE + "/status?value=";
        assertEquals(200, ask("PUT", status + "OUT_OF_SERVICE", "").statusCode());
        assertEquals(200, ask("PUT", INSTANCE, "").statusCode());
        assertTrue(list().contains("\"status\":\"OUT_OF_SERVICE\""));
        assertEquals(200, ask("DELETE", status + "UP", "").statusCode());
        assertTrue(list().contains("\"status\":\"UP\""));
    }

    @Test
    void aLeaseThatIsSilentEnds() throws Exception {
        ask("POST", APPLICATION, BODY);
        Instant began = Instant.now();
        while (list().contains("users-8090")) {
            assertTrue(Duration.between(began, Instant.now()).toSeconds() < 9);
            Thread.sleep(200);
        }
        assertTrue(Duration.between(began, Instant.now()).toSeconds() >= 3);
    }

    private String list() throws IOException, InterruptedException {
        return ask("GET", "/eureka/apps", "").body();
    }

    private HttpResponse<String> ask(String method, String path, String body)
            throws IOException, InterruptedException {
        BodyPublisher sent =
                body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body);
        HttpRequest request =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + Main.port(context) + path))
                        .header("Accept", "application/json")
                        .header("Content-Type", "application/json")
                        .method(method, sent)
                        .build();
        return client.send(request, BodyHandlers.ofString());
    }
}
