package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ValidationTest {

    private static final String BEYOND = "\uD83D\uDE00";
    private static final String PASSWORD = "Loadstone#Park-1";

    private static final Map<String, Object> USER =
            Map.of(
                    "firstName", "Ada",
                    "lastName", BEYOND.repeat(60),
                    "email", "A.b%c@x.example",
                    "password", PASSWORD,
                    "nif", 700_000_009,
                    "licensePlateNumber", "LZ-00099",
                    "vehicleType", "MOTORCYCLE",
                    "vehicleEnergySource", "GPL",
                    "paymentMethod", "NOT_DEFINED");
    private static final Map<String, Object> LOGIN = Map.of("email", "", "password", "");
    private static final Map<String, Object> GRANT =
            Map.of("userIds", List.of(5, 4), "amount", -30, "reason", "welcome");
    private static final Map<String, Object> STATUS = Map.of("userStatus", "BLOCKED");
    private static final Map<String, Object> KIND =
            Map.of("vehicleType", "AUTOMOBILE", "vehicleEnergySource", "FUEL");
    private static final Map<String, Object> PAYMENT = Map.of("paymentMethod", "DEBIT");
    private static final Map<String, Object> DEBIT =
            Map.of("userId", 4, "reference", "r", "maxCoins", 0);

    private static final Function<Object, Object> OF_USER = Validation::newUser;
    private static final Function<Object, Object> OF_LOGIN = Validation::login;
    private static final Function<Object, Object> OF_GRANT = Validation::grant;
    private static final Function<Object, Object> OF_STATUS = Validation::status;
    private static final Function<Object, Object> OF_KIND = Validation::vehicleKind;
    private static final Function<Object, Object> OF_PAYMENT = Validation::paymentMethod;
    private static final Function<Object, Object> OF_DEBIT = Validation::debit;

    @Test
    void bodiesAreTakenAsTheyAre() {
        var vehicle = new Vehicle("LZ-00099", VehicleType.MOTORCYCLE, VehicleEnergySource.GPL);
        assertEquals(
                new NewUser(
                        "Ada",
                        BEYOND.repeat(60),
                        "A.b%c@x.example",
                        PASSWORD,
                        700_000_009,
                        vehicle,
                        PaymentMethod.NOT_DEFINED),
                Validation.newUser(USER));
        assertEquals(new LoginBody("", ""), Validation.login(LOGIN));
        assertEquals(new Grant(List.of(5L, 4L), -30, "welcome"), Validation.grant(GRANT));
        assertEquals(UserStatus.BLOCKED, Validation.status(STATUS));
        assertEquals(
                new VehicleKind(VehicleType.AUTOMOBILE, VehicleEnergySource.FUEL),
                Validation.vehicleKind(KIND));
        assertEquals(PaymentMethod.DEBIT, Validation.paymentMethod(PAYMENT));
        assertEquals(new Debit(4, "r", 0), Validation.debit(DEBIT));
    }

    static Stream<List<Object>> faults() {
        List<Long> manyIds = LongStream.rangeClosed(1, 101).boxed().toList();
        return Stream.of(
                Arrays.asList(OF_USER, USER, "firstName", null, "required"),
                List.of(OF_USER, USER, "firstName", "", "too-short"),
                List.of(OF_USER, USER, "firstName", BEYOND.repeat(61), "too-long"),
                List.of(OF_USER, USER, "lastName", "a\0", "characters"),
                List.of(OF_USER, USER, "lastName", "a\u0085", "characters"),
                List.of(OF_USER, USER, "email", "@a", "too-short"),
                List.of(OF_USER, USER, "email", "a@" + "b".repeat(39), "too-long"),
                List.of(OF_USER, USER, "email", "a b@c", "characters"),
                List.of(OF_USER, USER, "email", "é@c", "characters"),
                List.of(OF_USER, USER, "email", "a@b@c", "format"),
                List.of(OF_USER, USER, "email", "abc@", "format"),
                List.of(OF_USER, USER, "password", "Aa#4567890", "too-short"),
                List.of(OF_USER, USER, "password", "Aa#45678901234567890", "too-long"),
                List.of(OF_USER, USER, "password", "Aa# 4567890", "characters"),
                List.of(OF_USER, USER, "password", "AA#45678901", "weak"),
                List.of(OF_USER, USER, "password", "aa#45678901", "weak"),
                List.of(OF_USER, USER, "password", "Aa345678901", "weak"),
                List.of(OF_USER, USER, "nif", 99_999_999, "range"),
                List.of(OF_USER, USER, "nif", 1_000_000_000, "range"),
                List.of(OF_USER, USER, "nif", BigInteger.TWO.pow(63), "range"),
                List.of(OF_USER, USER, "licensePlateNumber", "LA-0001", "format"),
                List.of(OF_USER, USER, "licensePlateNumber", "LA-00012\n", "format"),
                List.of(OF_USER, USER, "vehicleType", "automobile", "unknown-value"),
                List.of(OF_USER, USER, "vehicleEnergySource", "", "unknown-value"),
                List.of(OF_USER, USER, "paymentMethod", "CASH", "unknown-value"),
                Arrays.asList(OF_LOGIN, LOGIN, "password", null, "required"),
                List.of(OF_GRANT, GRANT, "userIds", List.of(), "too-short"),
                List.of(OF_GRANT, GRANT, "userIds", manyIds, "too-long"),
                List.of(OF_GRANT, GRANT, "userIds", List.of(1, 1, 0), "range"),
                List.of(OF_GRANT, GRANT, "userIds", List.of(BigInteger.TWO.pow(63)), "range"),
                List.of(OF_GRANT, GRANT, "userIds", List.of(4, 5L, 4L), "duplicate"),
                List.of(OF_GRANT, GRANT, "amount", 0, "range"),
                List.of(OF_GRANT, GRANT, "amount", 1_000_001, "range"),
                List.of(OF_GRANT, GRANT, "amount", -1_000_001, "range"),
                List.of(OF_GRANT, GRANT, "reason", "", "too-short"),
                List.of(OF_GRANT, GRANT, "reason", "a".repeat(201), "too-long"),
                List.of(OF_GRANT, GRANT, "reason", "\u007f", "characters"),
                List.of(OF_STATUS, STATUS, "userStatus", "enabled", "unknown-value"),
                Arrays.asList(OF_KIND, KIND, "vehicleType", null, "required"),
                List.of(OF_PAYMENT, PAYMENT, "paymentMethod", "NOT_DEFINED", "unknown-value"),
                List.of(OF_DEBIT, DEBIT, "userId", 0, "range"),
                List.of(OF_DEBIT, DEBIT, "reference", "", "too-short"),
                List.of(OF_DEBIT, DEBIT, "reference", "a".repeat(101), "too-long"),
                List.of(OF_DEBIT, DEBIT, "reference", "a b", "characters"),
                List.of(OF_DEBIT, DEBIT, "maxCoins", -1, "range"),
                List.of(OF_DEBIT, DEBIT, "maxCoins", 1_000_001, "range"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    @SuppressWarnings("unchecked")
    void theFirstFaultOfAMemberIsTold(List<Object> row) {
        var read = (Function<Object, Object>) row.get(0);
        String name = (String) row.get(2);
        Object body = with((Map<String, Object>) row.get(1), name, row.get(3));
        Refusal refusal = assertThrows(Refusal.class, () -> read.apply(body));
        assertEquals(Problem.INVALID, refusal.problem());
        assertEquals(List.of(new Fault("/" + name, (String) row.get(4))), refusal.faults());
    }

    static Stream<List<Object>> otherTypes() {
        return Stream.of(
                List.of(OF_USER, USER, "firstName", 1),
                List.of(OF_USER, USER, "firstName", "a\uD83D"),
                List.of(OF_USER, USER, "nif", "700000009"),
                List.of(OF_USER, USER, "nif", 700_000_009.5),
                List.of(OF_USER, USER, "nif", true),
                List.of(OF_USER, USER, "vehicleType", List.of()),
                List.of(OF_LOGIN, LOGIN, "email", 1),
                List.of(OF_GRANT, GRANT, "userIds", 4),
                List.of(OF_GRANT, GRANT, "userIds", List.of(4, "5")),
                List.of(OF_GRANT, GRANT, "userIds", Collections.singletonList(null)),
                List.of(OF_GRANT, GRANT, "amount", "30"),
                List.of(OF_DEBIT, DEBIT, "maxCoins", Map.of()));
    }

    @ParameterizedTest
    @MethodSource("otherTypes")
    @SuppressWarnings("unchecked")
    void nothingIsCoerced(List<Object> row) {
        var read = (Function<Object, Object>) row.get(0);
        Object body = with((Map<String, Object>) row.get(1), (String) row.get(2), row.get(3));
        assertRefused(Problem.MALFORMED, read, body);
    }

    @Test
    void theTypeComesBeforeFaults() {
        assertRefused(Problem.MALFORMED, OF_USER, with(with(USER, "firstName", ""), "nif", "1"));
    }

    @Test
    void whatIsNotNamedIsUnknown() {
        assertRefused(Problem.UNKNOWN_MEMBER, OF_USER, with(USER, "role", "SUPERVISOR"));
        assertRefused(Problem.UNKNOWN_MEMBER, OF_STATUS, with(STATUS, "UserStatus", null));
    }

    @Test
    void whatIsNoObjectIsMalformed() {
        assertRefused(Problem.MALFORMED, OF_LOGIN, List.of());
        assertRefused(Problem.MALFORMED, OF_LOGIN, null);
        assertRefused(Problem.MALFORMED, OF_LOGIN, "text");
    }

    @Test
    void faultsAreInTheOrderOfTheMembers() {
        Object body = with(with(USER, "paymentMethod", null), "email", "a");
        Refusal refusal = assertThrows(Refusal.class, () -> Validation.newUser(body));
        assertEquals(
                List.of(new Fault("/email", "too-short"), new Fault("/paymentMethod", "required")),
                refusal.faults());
    }

    @Test
    void nobodyLogsInWithWhatNobodyMayHave() {
        assertTrue(new LoginBody("A@park.example", "p".repeat(72)).mayFit());
        assertFalse(new LoginBody("a@park.example", "é".repeat(37)).mayFit());
        assertFalse(new LoginBody("a@park.example\0", "p").mayFit());
        assertFalse(new LoginBody("", "p").mayFit());
    }

    private static void assertRefused(Problem problem, Function<Object, Object> read, Object body) {
        assertEquals(problem, assertThrows(Refusal.class, () -> read.apply(body)).problem());
    }

    private static Map<String, Object> with(Map<String, Object> body, String name, Object value) {
        var changed = new HashMap<>(body);
        changed.put(name, value);
        return changed;
    }
}
