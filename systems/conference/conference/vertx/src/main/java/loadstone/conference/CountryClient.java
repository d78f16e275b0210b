package loadstone.conference;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** Look-ups at the service country, with their further attempts. */
final class CountryClient {

    private static final int MOST_BYTES = 64 * 1024;
    private static final int MOST_BYTES_OF_BATCH = 1024 * 1024;
    private static final int OK = 200;
    private static final int FIRST_OF_SERVER = 500;
    private static final List<Integer> WORTH_ANOTHER = List.of(502, 503, 504);
    private static final String UNRESERVED = "-._~";
    private static final HexFormat HEXADECIMAL = HexFormat.of().withUpperCase();

    private final Vertx vertx;
    private final CountryConnection connection;
    private final Json json;
    private final Breaker breaker;
    private final int retries;
    private final Duration retryInterval;

    CountryClient(
            Vertx vertx,
            CountryConnection connection,
            Json json,
            Breaker breaker,
            int retries,
            Duration retryInterval) {
        this.vertx = vertx;
        this.connection = connection;
        this.json = json;
        this.breaker = breaker;
        this.retries = retries;
        this.retryInterval = retryInterval;
    }

    /** What is asked, of how long an answer, and until when. */
    private record Question(String path, byte[] body, int mostBytes, BooleanSupplier isOver) {}

    /**
     * Gives the country of one conference. Fails with a Refusal, or with CallerGone where it was
     * over before an attempt.
     */
    Future<String> country(String name, BooleanSupplier isOver) {
        String path = "/conferences/" + escape(name) + "/country";
        return ask(new Question(path, null, MOST_BYTES, isOver)).map(this::nameOf);
    }

    /** Gives the countries of several, in their order. Fails like `country`. */
    Future<List<String>> countries(List<String> names, BooleanSupplier isOver) {
        byte[] body = json.write(Map.of("names", names));
        return ask(new Question("/countries", body, MOST_BYTES_OF_BATCH, isOver))
                .map(answer -> countriesOf(answer, names.size()));
    }

    /** Every byte but the unreserved ones of RFC 3986 is escaped: a name is one segment. */
    static String escape(String name) {
        var path = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (isUnreserved((char) each)) {
                path.append((char) each);
            } else {
                path.append('%').append(HEXADECIMAL.toHexDigits(each));
            }
        }
        return path.toString();
    }

    private static boolean isUnreserved(char character) {
        return (character >= 'A' && character <= 'Z')
                || (character >= 'a' && character <= 'z')
                || (character >= '0' && character <= '9')
                || UNRESERVED.indexOf(character) >= 0;
    }

    /** Gives the body of an answer that is 200. */
    private Future<byte[]> ask(Question question) {
        Promise<byte[]> answer = Promise.promise();
        ask(question, retries, answer);
        return answer.future();
    }

    /** The last attempt decides. */
    private void ask(Question question, int left, Promise<byte[]> answer) {
        if (question.isOver().getAsBoolean()) {
            answer.fail(new CallerGone());
            return;
        }
        attempt(question)
                .onComplete(
                        (given, failure) -> {
                            if (failure == null && isGood(given, question)) {
                                answer.complete(given.body());
                            } else if (left > 0 && isWorthAnother(given, failure)) {
                                pause(() -> ask(question, left - 1, answer));
                            } else {
                                answer.fail(refusal(given, failure));
                            }
                        });
    }

    private Future<CountryConnection.Answer> attempt(Question question) {
        long ticket = breaker.enter();
        if (ticket == Breaker.CLOSED_TO_ALL) {
            return Future.failedFuture(
                    new Refusal(Problem.COUNTRY_OPEN, "country failed too often"));
        }
        return connection
                .exchange(question.path(), question.body(), question.mostBytes())
                .andThen(
                        (given, failure) ->
                                breaker.leave(
                                        ticket,
                                        failure != null || given.status() >= FIRST_OF_SERVER));
    }

    private static boolean isGood(CountryConnection.Answer given, Question question) {
        return given.status() == OK && given.body().length <= question.mostBytes();
    }

    /** Whether the connection was refused or broken, or the answer is one that may heal. */
    private static boolean isWorthAnother(CountryConnection.Answer given, Throwable failure) {
        return failure == null
                ? WORTH_ANOTHER.contains(given.status())
                : !(failure instanceof TimeoutException || failure instanceof Refusal);
    }

    private static Refusal refusal(CountryConnection.Answer given, Throwable failure) {
        if (failure == null) {
            return new Refusal(Problem.COUNTRY_FAILED, "country gave " + given.status());
        }
        if (failure instanceof Refusal refusal) {
            return refusal;
        }
        return failure instanceof TimeoutException
                ? new Refusal(Problem.COUNTRY_TIMEOUT, failure.getMessage())
                : new Refusal(Problem.COUNTRY_FAILED, "country failed: " + failure.getMessage());
    }

    private void pause(Runnable next) {
        if (retryInterval.isZero()) {
            next.run(); // a timer has at least 1 ms
        } else {
            vertx.setTimer(retryInterval.toMillis(), timer -> next.run());
        }
    }

    private String nameOf(byte[] answer) {
        if (read(answer) instanceof Map<?, ?> members
                && members.get("name") instanceof String country) {
            return country;
        }
        throw unusable();
    }

    private List<String> countriesOf(byte[] answer, int count) {
        if (read(answer) instanceof Map<?, ?> members
                && members.get("countries") instanceof List<?> values
                && values.size() == count) {
            List<String> countries = new ArrayList<>(count);
            for (Object value : values) {
                if (!(value instanceof String country)) {
                    throw unusable();
                }
                countries.add(country);
            }
            return countries;
        }
        throw unusable();
    }

    private Object read(byte[] answer) {
        try {
            return json.read(RequestBody.decode(answer));
        } catch (CharacterCodingException | Json.Malformed e) {
            throw unusable();
        }
    }

    private static Refusal unusable() {
        return new Refusal(Problem.COUNTRY_FAILED, "country gave what is of no use");
    }
}
