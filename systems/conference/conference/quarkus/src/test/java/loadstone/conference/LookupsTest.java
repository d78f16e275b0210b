package loadstone.conference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The strategies and the further attempts, against a service country that is made up. */
@Timeout(60)
class LookupsTest {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool();

    private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
    private final Deque<Object> scripted = new ArrayDeque<>();
    private int callsUntilGone = Integer.MAX_VALUE;

    @AfterAll
    static void end() {
        THREADS.shutdown();
    }

    @Test
    void oneIsLookedUpAfterTheOther() {
        assertEquals(
                List.of(
                        new ConferenceWithCountry("b/é", "of /conferences/b%2F%C3%A9/country"),
                        new ConferenceWithCountry("a", "of /conferences/a/country"),
                        new ConferenceWithCountry("a", "of /conferences/a/country")),
                join(Map.of(), "b/é", "a", "a"));
        assertEquals(3, asked.size());
    }

    @Test
    void concurrentOnesKeepTheirOrder() {
        String[] names = new String[100];
        for (int i = 0; i < names.length; i++) {
            names[i] = "n" + i;
        }
        List<ConferenceWithCountry> joined = join(Map.of("STRATEGY", "concurrent"), names);
        for (int i = 0; i < names.length; i++) {
            assertEquals("of /conferences/n" + i + "/country", joined.get(i).country());
        }
        assertEquals(100, asked.size());
    }

    @Test
    void batchesAreFilled() {
        assertEquals(
                List.of("one", "two", "three"),
                join(Map.of("STRATEGY", "batched", "BATCH_SIZE", "2"), "a", "b", "c").stream()
                        .map(ConferenceWithCountry::country)
                        .toList());
        assertEquals(List.of("/countries {names=[a, b]}", "/countries {names=[c]}"), asked);
    }

    @Test
    void withoutRowsNothingIsAsked() {
        for (String strategy : List.of("sequential", "concurrent", "batched")) {
            assertEquals(List.of(), join(Map.of("STRATEGY", strategy)));
        }
        assertEquals(List.of(), asked);
    }

    @Test
    void theFirstFailureEndsThemAll() {
        for (String strategy : List.of("sequential", "concurrent")) {
            scripted.add(404);
            assertEquals(
                    Problem.COUNTRY_FAILED,
                    refusal(Map.of("STRATEGY", strategy, "WIDTH", "1", "RETRIES", "3"), "a", "b"));
        }
        assertEquals(2, asked.size());
    }

    @Test
    void whatMayHealIsAskedAgain() {
        scripted.addAll(List.of(503, new IOException("refused"), 502));
        assertEquals(1, join(Map.of("RETRIES", "3"), "a").size());
        assertEquals(4, asked.size());
    }

    @Test
    void theLastAttemptDecides() {
        scripted.addAll(List.of(503, 504));
        assertEquals(Problem.COUNTRY_FAILED, refusal(Map.of("RETRIES", "1"), "a"));
        scripted.addAll(List.of(503, new TimeoutException()));
        assertEquals(Problem.COUNTRY_TIMEOUT, refusal(Map.of("RETRIES", "3"), "a"));
        assertEquals(4, asked.size());
    }

    @Test
    void whatIsOfNoUseIsAFailure() {
        for (String answer : List.of("", "{}", "[]", "{\"name\":1}", "{\"name\":null}", "no")) {
            scripted.add(answer);
            assertEquals(Problem.COUNTRY_FAILED, refusal(Map.of("RETRIES", "3"), "a"));
        }
        scripted.add("{\"name\":\"" + "x".repeat(64 * 1024) + "\"}");
        assertEquals(Problem.COUNTRY_FAILED, refusal(Map.of(), "a"));
        for (String answer : List.of("{\"countries\":[\"x\"]}", "{\"countries\":[\"x\",1]}")) {
            scripted.add(answer);
            assertEquals(Problem.COUNTRY_FAILED, refusal(Map.of("STRATEGY", "batched"), "a", "b"));
        }
    }

    @Test
    void anOpenBreakerAsksNothing() {
        for (int i = 0; i < 10; i++) {
            scripted.add(500);
        }
        Lookups lookups = lookups(Map.of("BREAKER", "on"));
        for (int i = 0; i < 10; i++) {
            assertThrows(Refusal.class, () -> lookups.join(rows("a"), () -> false));
        }
        Refusal refusal = assertThrows(Refusal.class, () -> lookups.join(rows("a"), () -> false));
        assertEquals(Problem.COUNTRY_OPEN, refusal.problem());
        assertEquals(10, asked.size());
    }

    @Test
    void nothingBeginsForACallerThatIsGone() {
        callsUntilGone = 2;
        Lookups lookups = lookups(Map.of());
        assertThrows(
                CallerGone.class,
                () -> lookups.join(rows("a", "b", "c"), () -> asked.size() >= callsUntilGone));
        assertEquals(2, asked.size());
        assertTrue(asked.get(1).contains("/b/"), asked.get(1));
    }

    private List<ConferenceWithCountry> join(Map<String, String> variables, String... names) {
        return lookups(variables).join(rows(names), () -> false);
    }

    private Problem refusal(Map<String, String> variables, String... names) {
        return assertThrows(Refusal.class, () -> join(variables, names)).problem();
    }

    private Lookups lookups(Map<String, String> variables) {
        var environment = new HashMap<>(variables);
        environment.put("PORT", "0");
        environment.put("DATABASE_URL", "mysql://user:password@127.0.0.1:1/database");
        environment.put("COUNTRY_URL", "http://127.0.0.1:1");
        var config = Config.read(environment);
        var client =
                new CountryClient(
                        this::answer,
                        new JacksonJson(),
                        new Breaker(config.hasBreaker(), () -> 0),
                        config.retries(),
                        Duration.ZERO);
        return new Lookups(client, config, THREADS);
    }

    private static List<Conference> rows(String... names) {
        List<Conference> rows = new ArrayList<>();
        for (String name : names) {
            rows.add(new Conference("id", name));
        }
        return rows;
    }

    /** What is scripted comes first, as a status, a body or an exception. */
    private synchronized CountryConnection.Answer answer(String path, byte[] body, int mostBytes)
            throws IOException, TimeoutException {
        asked.add(body == null ? path : path + " " + read(body));
        Object next = scripted.poll();
        if (next instanceof IOException failure) {
            throw failure;
        }
        if (next instanceof TimeoutException over) {
            throw over;
        }
        int status = next instanceof Integer scriptedStatus ? scriptedStatus : 200;
        String text = next instanceof String scriptedText ? scriptedText : ordinary(path);
        return new CountryConnection.Answer(status, text.getBytes(StandardCharsets.UTF_8));
    }

    private String ordinary(String path) {
        if (!path.equals("/countries")) {
            return "{\"name\":\"of " + path + "\"}";
        }
        return asked.size() == 1
                ? "{\"countries\":[\"one\",\"two\"]}"
                : "{\"countries\":[\"three\"]}";
    }

    private static Object read(byte[] body) {
        try {
            return new JacksonJson().read(new String(body, StandardCharsets.UTF_8));
        } catch (Json.Malformed e) {
            throw new AssertionError(e);
        }
    }
}
