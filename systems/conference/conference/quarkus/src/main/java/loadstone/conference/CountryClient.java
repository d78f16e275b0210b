package loadstone.conference;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
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
    private static final int BYTE = 0xFF;

    private final CountryConnection connection;
    private final Json json;
    private final Breaker breaker;
    private final int retries;
    private final Duration retryInterval;

    CountryClient(
            CountryConnection connection,
            Json json,
            Breaker breaker,
            int retries,
            Duration retryInterval) {
        this.connection = connection;
        this.json = json;
        this.breaker = breaker;
        this.retries = retries;
        this.retryInterval = retryInterval;
    }

    /** Gives the country of one conference. Throws a Refusal, or CallerGone. */
    String country(String name, BooleanSupplier isCallerGone) {
        String path = "/conferences/" + escape(name) + "/country";
        byte[] answer = ask(path, null, MOST_BYTES, isCallerGone);
        if (read(answer) instanceof Map<?, ?> members
                && members.get("name") instanceof String country) {
            return country;
        }
        throw unusable();
    }

    /** Gives the countries of several, in their order. Throws a Refusal, or CallerGone. */
    List<String> countries(List<String> names, BooleanSupplier isCallerGone) {
        byte[] body = json.write(Map.of("names", names));
        byte[] answer = ask("/countries", body, MOST_BYTES_OF_BATCH, isCallerGone);
        if (read(answer) instanceof Map<?, ?> members
                && members.get("countries") instanceof List<?> values
                && values.size() == names.size()) {
            List<String> countries = new ArrayList<>(values.size());
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

    /** Every byte but the unreserved ones of RFC 3986 is escaped: a name is one segment. */
    static String escape(String name) {
        var path = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            char character = (char) (each & BYTE);
            if (isUnreserved(character)) {
                path.append(character);
            } else {
                path.append(String.format("%%%02X", each & BYTE));
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

    /** Gives the body of an answer that is 200. The last attempt decides. */
    private byte[] ask(String path, byte[] body, int mostBytes, BooleanSupplier isCallerGone) {
        for (int left = retries; ; left--) {
            if (isCallerGone.getAsBoolean()) {
                throw new CallerGone();
            }
            Refusal refusal;
            try {
                CountryConnection.Answer answer = attempt(path, body, mostBytes);
                if (answer.status() == OK && answer.body().length <= mostBytes) {
                    return answer.body();
                }
                refusal = new Refusal(Problem.COUNTRY_FAILED, "country gave " + answer.status());
                if (!WORTH_ANOTHER.contains(answer.status())) {
                    throw refusal;
                }
            } catch (IOException e) {
                refusal = new Refusal(Problem.COUNTRY_FAILED, "country failed: " + e.getMessage());
            } catch (TimeoutException e) {
                throw new Refusal(Problem.COUNTRY_TIMEOUT, "country took too long");
            }
            if (left == 0) {
                throw refusal;
            }
            pause();
        }
    }

    private CountryConnection.Answer attempt(String path, byte[] body, int mostBytes)
            throws IOException, TimeoutException {
        long ticket = breaker.enter();
        if (ticket == Breaker.CLOSED_TO_ALL) {
            throw new Refusal(Problem.COUNTRY_OPEN, "country failed too often");
        }
        boolean hasFailed = true;
        try {
            CountryConnection.Answer answer = connection.exchange(path, body, mostBytes);
            hasFailed = answer.status() >= FIRST_OF_SERVER;
            return answer;
        } finally {
            breaker.leave(ticket, hasFailed);
        }
    }

    private void pause() {
        try {
            Thread.sleep(retryInterval.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Refusal(Problem.COUNTRY_FAILED, "interrupted");
        }
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
