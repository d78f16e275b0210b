package loadstone.users;

import java.util.List;

/**
 * Bodies of requests out of JSON values, as a library for JSON gives them. Each method throws a
 * Refusal, where members are invalid with the first fault of each.
 */
final class Validation {

    private static final int MOST_NAME_CHARACTERS = 60;
    private static final int LEAST_PASSWORD_CHARACTERS = 11;
    private static final int MOST_PASSWORD_CHARACTERS = 19;
    private static final int LEAST_NIF = 100_000_000;
    private static final int MOST_NIF = 999_999_999;
    private static final int MOST_USERS = 100;
    private static final int MOST_COINS = 1_000_000;
    private static final int MOST_REASON_CHARACTERS = 200;
    private static final int MOST_REFERENCE_CHARACTERS = 100;

    private static final String PAYMENT_METHOD = "paymentMethod";
    private static final String VEHICLE_TYPE = "vehicleType";
    private static final String VEHICLE_ENERGY_SOURCE = "vehicleEnergySource";

    /** What a user may choose later. */
    private static final PaymentMethod[] DEFINED = {
        PaymentMethod.CREDIT, PaymentMethod.DEBIT, PaymentMethod.PAYPAL
    };

    private Validation() {}

    static NewUser newUser(Object body) {
        Members members =
                Members.of(
                        body,
                        "firstName",
                        "lastName",
                        "email",
                        "password",
                        "nif",
                        "licensePlateNumber",
                        VEHICLE_TYPE,
                        VEHICLE_ENERGY_SOURCE,
                        PAYMENT_METHOD);
        String firstName = members.line("firstName", MOST_NAME_CHARACTERS);
        String lastName = members.line("lastName", MOST_NAME_CHARACTERS);
        String email = members.email("email");
        String password =
                members.password("password", LEAST_PASSWORD_CHARACTERS, MOST_PASSWORD_CHARACTERS);
        Integer nif = members.integer("nif", LEAST_NIF, MOST_NIF);
        String plate = members.plate("licensePlateNumber");
        VehicleType type = members.word(VEHICLE_TYPE, VehicleType.values());
        VehicleEnergySource energySource =
                members.word(VEHICLE_ENERGY_SOURCE, VehicleEnergySource.values());
        PaymentMethod paymentMethod = members.word(PAYMENT_METHOD, PaymentMethod.values());
        members.refuseFaults();
        var vehicle = new Vehicle(plate, type, energySource);
        return new NewUser(firstName, lastName, email, password, nif, vehicle, paymentMethod);
    }

    static LoginBody login(Object body) {
        Members members = Members.of(body, "email", "password");
        String email = members.text("email");
        String password = members.text("password");
        members.refuseFaults();
        return new LoginBody(email, password);
    }

    static Grant grant(Object body) {
        Members members = Members.of(body, "userIds", "amount", "reason");
        List<Long> userIds = members.ids("userIds", MOST_USERS);
        Integer amount = members.change("amount", MOST_COINS);
        String reason = members.line("reason", MOST_REASON_CHARACTERS);
        members.refuseFaults();
        return new Grant(userIds, amount, reason);
    }

    static UserStatus status(Object body) {
        Members members = Members.of(body, "userStatus");
        UserStatus status = members.word("userStatus", UserStatus.values());
        members.refuseFaults();
        return status;
    }

    static VehicleKind vehicleKind(Object body) {
        Members members = Members.of(body, VEHICLE_TYPE, VEHICLE_ENERGY_SOURCE);
        VehicleType type = members.word(VEHICLE_TYPE, VehicleType.values());
        VehicleEnergySource energySource =
                members.word(VEHICLE_ENERGY_SOURCE, VehicleEnergySource.values());
        members.refuseFaults();
        return new VehicleKind(type, energySource);
    }

    static PaymentMethod paymentMethod(Object body) {
        Members members = Members.of(body, PAYMENT_METHOD);
        PaymentMethod paymentMethod = members.word(PAYMENT_METHOD, DEFINED);
        members.refuseFaults();
        return paymentMethod;
    }

    static Debit debit(Object body) {
        Members members = Members.of(body, "userId", "reference", "maxCoins");
        Long userId = members.id("userId");
        String reference = members.visible("reference", 1, MOST_REFERENCE_CHARACTERS);
        Integer maxCoins = members.integer("maxCoins", 0, MOST_COINS);
        members.refuseFaults();
        return new Debit(userId, reference, maxCoins);
    }
}
