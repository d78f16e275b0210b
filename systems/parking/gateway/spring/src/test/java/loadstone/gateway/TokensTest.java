package loadstone.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** With tokens that are written by hand, since libraries do not write wrong ones. */
class TokensTest {

    private static final String SECRET = "loadstone-park-secret-for-tests-only";

    /** Half a second behind the whole one. */
    private static final long NOW = 1_800_000_000;

    private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";
    private static final String CLAIMS =
            "{\"iss\":\"park-users\",\"sub\":\"1\",\"role\":\"SUPERVISOR\",\"exp\":1800000001}";

    private static final String OF_SPECIFICATION =
            "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9."
                    + "eyJpc3MiOiJwYXJrLXVzZXJzIiwic3ViIjoiMSIsInJvbGUiOiJTVVBFUlZJU09SIiwiaWF0Ijox"
                    + "NzAwMDAwMDAwLCJleHAiOjQxMDI0NDQ4MDB9."
                    + "Xa9f7dbHrzE7YEPmdjIR4ZcCN5kAQKpw0Kc73QwHwqA";

    private final Tokens tokens =
            new Tokens(
                    SECRET,
                    Clock.fixed(Instant.ofEpochSecond(NOW).plusMillis(500), ZoneOffset.UTC));

    @ParameterizedTest
    @ValueSource(strings = {"Bearer ", "bearer ", "BEARER  "})
    void theTokenOfTheSpecificationIsValid(String scheme) {
        assertEquals(
                new Identity("1", "SUPERVISOR"), tokens.verify(List.of(scheme + OF_SPECIFICATION)));
    }

    @Test
    void whatIsNoTokenIsMissing() {
        assertRefused(Problem.TOKEN_MISSING);
        for (String field : List.of("", "Bearer", "Bearer ", "Basic YTpi", OF_SPECIFICATION)) {
            assertRefused(Problem.TOKEN_MISSING, field);
        }
    }

    @Test
    void twoFieldsAreInvalid() {
        String field = "Bearer " + OF_SPECIFICATION;
        assertRefused(Problem.TOKEN_INVALID, field, field);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "a.b",
                "a.b.c",
                "a.b.c.d",
                OF_SPECIFICATION + ".",
                OF_SPECIFICATION + "=",
                OF_SPECIFICATION + " x"
            })
    void anyOtherTextIsInvalid(String token) {
        assertRefused(Problem.TOKEN_INVALID, "Bearer " + token);
    }

    @Test
    void eachCharacterCounts() {
        for (int at = 0; at < OF_SPECIFICATION.length() - 1; at++) {
            char other = OF_SPECIFICATION.charAt(at) == 'A' ? 'B' : 'A';
            String changed =
                    OF_SPECIFICATION.substring(0, at) + other + OF_SPECIFICATION.substring(at + 1);
            assertRefused(Problem.TOKEN_INVALID, "Bearer " + changed);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"alg\":\"none\"}",
                "{\"alg\":\"hs256\"}",
                "{\"alg\":\"HS384\"}",
                "{\"alg\":\"RS256\"}",
                "{\"alg\":[\"HS256\"]}",
                "{\"alg\":\"HS256\",\"crit\":null}",
                "{\"alg\":\"HS256\"} {}",
            })
    void otherHeadersAreInvalid(String header) throws GeneralSecurityException {
        assertRefused(Problem.TOKEN_INVALID, signed(header, CLAIMS));
    }

    @Test
    void whatNamesAKeyIsNotLookedAt() throws GeneralSecurityException {
        String header = "{\"alg\":\"HS256\",\"kid\":1,\"jku\":[],\"jwk\":{},\"x5u\":\"x\"}";
        assertEquals(
                new Identity("1", "SUPERVISOR"), tokens.verify(List.of(signed(header, CLAIMS))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"exp\":1800000001 | \"exp\":1800000000",
                "\"exp\":1800000001 | \"exp\":\"1800000001\"",
                "\"exp\":1800000001 | \"exp\":null",
                "\"exp\":1800000001 | \"end\":1800000001",
                "\"exp\":1800000001 | \"exp\":1800000001,\"nbf\":1800000001",
                "\"exp\":1800000001 | \"exp\":1800000001,\"nbf\":null",
                "\"exp\":1800000001 | \"exp\":1800000001,\"nbf\":\"1\"",
                "\"park-users\" | \"park\"",
                "\"park-users\" | [\"park-users\"]",
                "\"sub\":\"1\" | \"sub\":\"0\"",
                "\"sub\":\"1\" | \"sub\":\"01\"",
                "\"sub\":\"1\" | \"sub\":\"12345678901234567\"",
                "\"sub\":\"1\" | \"sub\":true",
                "\"SUPERVISOR\" | \"ADMIN\"",
                "\"SUPERVISOR\" | null",
            })
    void otherClaimsAreInvalid(String from, String to) throws GeneralSecurityException {
        assertRefused(Problem.TOKEN_INVALID, signed(HEADER, CLAIMS.replace(from, to)));
    }

    @Test
    void othersAreNotLookedAt() throws GeneralSecurityException {
        String claims =
                CLAIMS.replace("}", ",\"nbf\":1800000000,\"iat\":1900000000,\"aud\":[],\"jti\":5}");
        assertEquals(
                new Identity("1", "SUPERVISOR"), tokens.verify(List.of(signed(HEADER, claims))));
    }

    @Test
    void anotherKeyIsInvalid() {
        var others = new Tokens(SECRET + "x", Clock.systemUTC());
        List<String> fields = List.of("Bearer " + OF_SPECIFICATION);
        assertEquals(
                Problem.TOKEN_INVALID,
                assertThrows(Refusal.class, () -> others.verify(fields)).problem());
    }

    private void assertRefused(Problem problem, String... fields) {
        Refusal refusal = assertThrows(Refusal.class, () -> tokens.verify(List.of(fields)));
        assertEquals(problem, refusal.problem());
    }

    /** Gives the value of the field. */
    private static String signed(String header, String claims) throws GeneralSecurityException {
        String text = encode(header.getBytes(StandardCharsets.UTF_8));
        text += "." + encode(claims.getBytes(StandardCharsets.UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
        byte[] signature = mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
        return "Bearer " + text + "." + encode(signature);
    }

    private static String encode(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
