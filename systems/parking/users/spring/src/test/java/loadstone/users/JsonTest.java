package loadstone.users;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** That the stack's library writes answers as SPEC.md has them. */
class JsonTest {

    private static final Vehicle VEHICLE =
            new Vehicle("LA-00015", VehicleType.AUTOMOBILE, VehicleEnergySource.PLUG_IN_HYBRID);

    @Test
    void aUserHasElevenMembers() {
        assertEquals(
                "{\"id\":5,\"firstName\":\"Sefa\",\"lastName\":\"Larkmoor\","
                        + "\"email\":\"sefa@park.example\",\"nif\":700000005,\"parkingHistory\":[],"
                        + "\"totalParkies\":0,\"vehicles\":[{\"licensePlateNumber\":\"LA-00015\","
                        + "\"vehicleType\":\"AUTOMOBILE\","
                        + "\"vehicleEnergySource\":\"PLUG_IN_HYBRID\"}],\"role\":\"CUSTOMER\","
                        + "\"paymentMethod\":\"NOT_DEFINED\",\"userStatus\":\"ENABLED\"}",
                write(user("Sefa", "Larkmoor")));
    }

    @Test
    void membersAreInOrder() {
        assertEquals(
                "{\"token\":\"t\",\"name\":\"n\",\"expiresAt\":\"e\"}",
                write(new TokenAnswer("t", "n", "e")));
        assertEquals(
                "[{\"name\":\"n\",\"email\":\"e\",\"coins\":1}]",
                write(List.of(new RichCustomer("n", "e", 1))));
        var given = new CoinEvent(2, 30, "welcome", 3L, "t");
        var taken = new CoinEvent(1, -30, "debit", null, "t");
        assertEquals(
                "{\"userId\":4,\"coins\":0,\"events\":["
                        + "{\"id\":2,\"amount\":30,\"reason\":\"welcome\",\"managerId\":3,"
                        + "\"at\":\"t\"},"
                        + "{\"id\":1,\"amount\":-30,\"reason\":\"debit\",\"managerId\":null,"
                        + "\"at\":\"t\"}]}",
                write(new Wallet(4, 0, List.of(given, taken))));
    }

    @Test
    void theSmallOnesAreObjects() {
        assertEquals("{\"granted\":2}", write(new Granted(2)));
        assertEquals("{\"coins\":30}", write(new Taken(30)));
        assertEquals(
                "{\"paymentMethod\":\"PAYPAL\"}",
                write(new PaymentMethodAnswer(PaymentMethod.PAYPAL)));
    }

    @Test
    void nothingElseIsEscaped() {
        String shown = write(user("/<&>é漢\uD83D\uDE00\u2028\u007f\"\\", "\n"));
        String names =
                "\"firstName\":\"/<&>é漢\uD83D\uDE00\u2028\u007f\\\"\\\\\",\"lastName\":\"\\n\",";
        assertEquals(names, shown.substring("{\"id\":5,".length(), shown.indexOf("\"email\"")));
    }

    private static User user(String firstName, String lastName) {
        var body =
                new NewUser(
                        firstName,
                        lastName,
                        "sefa@park.example",
                        "",
                        700_000_005,
                        VEHICLE,
                        PaymentMethod.NOT_DEFINED);
        return User.created(5, body);
    }

    private static String write(Object value) {
        return new String(new JacksonJson().write(value), StandardCharsets.UTF_8);
    }
}
