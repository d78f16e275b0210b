package loadstone.users;

import io.r2dbc.spi.Row;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Rows of the tables as what they are. */
final class Rows {

    /** A user beside one of the vehicles, which is null where there is none. */
    record UserRow(User user, Vehicle vehicle) {}

    /** A balance beside one of its events, which is null where there is none. */
    record WalletRow(int coins, CoinEvent event) {}

    /** A vehicle, which is null, of a user who is there. */
    record VehicleRow(Vehicle vehicle) {}

    private static final Role[] ROLES = Role.values();
    private static final PaymentMethod[] PAYMENT_METHODS = PaymentMethod.values();
    private static final UserStatus[] STATUSES = UserStatus.values();
    private static final VehicleType[] TYPES = VehicleType.values();
    private static final VehicleEnergySource[] ENERGY_SOURCES = VehicleEnergySource.values();

    private Rows() {}

    static Long id(Row row) {
        return number(row, "id");
    }

    static Integer coins(Row row) {
        return integer(row, "coins");
    }

    static Account account(Row row) {
        return new Account(
                id(row),
                text(row, "first_name"),
                text(row, "last_name"),
                text(row, "password_hash"),
                ROLES[integer(row, "role")],
                STATUSES[integer(row, "status")]);
    }

    static RichCustomer richCustomer(Row row) {
        return new RichCustomer(
                Names.full(text(row, "first_name"), text(row, "last_name")),
                text(row, "email"),
                coins(row));
    }

    static PaymentMethod paymentMethod(Row row) {
        return PAYMENT_METHODS[integer(row, "payment_method")];
    }

    static Balance balance(Row row) {
        return new Balance(id(row), coins(row));
    }

    static OwnedPlate ownedPlate(Row row) {
        return new OwnedPlate(text(row, "plate"), number(row, "user_id"));
    }

    static StoredDebit storedDebit(Row row) {
        return new StoredDebit(number(row, "user_id"), integer(row, "amount"));
    }

    static StoredAnswer storedAnswer(Row row) {
        return new StoredAnswer(
                row.get("digest", byte[].class), integer(row, "status"), text(row, "body"));
    }

    static UserRow user(Row row) {
        var user =
                new User(
                        id(row),
                        text(row, "first_name"),
                        text(row, "last_name"),
                        text(row, "email"),
                        integer(row, "nif"),
                        List.of(),
                        coins(row),
                        new ArrayList<>(),
                        ROLES[integer(row, "role")],
                        paymentMethod(row),
                        STATUSES[integer(row, "status")]);
        return new UserRow(user, vehicle(row).vehicle());
    }

    /** Puts the rows of each user together. */
    static List<User> users(List<UserRow> rows) {
        var users = new ArrayList<User>();
        for (UserRow row : rows) {
            if (users.isEmpty() || users.get(users.size() - 1).id() != row.user().id()) {
                users.add(row.user());
            }
            if (row.vehicle() != null) {
                users.get(users.size() - 1).vehicles().add(row.vehicle());
            }
        }
        return users;
    }

    static VehicleRow vehicle(Row row) {
        String plate = text(row, "plate");
        if (plate == null) {
            return new VehicleRow(null);
        }
        VehicleType type = TYPES[integer(row, "type")];
        return new VehicleRow(new Vehicle(plate, type, ENERGY_SOURCES[integer(row, "energy")]));
    }

    static WalletRow wallet(Row row) {
        Long id = id(row);
        if (id == null) {
            return new WalletRow(coins(row), null);
        }
        var event =
                new CoinEvent(
                        id,
                        integer(row, "amount"),
                        text(row, "reason"),
                        number(row, "manager_id"),
                        Instants.show(row.get("at", Instant.class)));
        return new WalletRow(coins(row), event);
    }

    private static String text(Row row, String column) {
        return row.get(column, String.class);
    }

    private static Integer integer(Row row, String column) {
        return row.get(column, Integer.class);
    }

    private static Long number(Row row, String column) {
        return row.get(column, Long.class);
    }
}
