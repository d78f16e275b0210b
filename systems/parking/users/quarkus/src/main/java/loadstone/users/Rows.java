package loadstone.users;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;

/** Rows of the tables as what they are. */
final class Rows {

    /** A user beside one of the vehicles, which is null where there is none. */
    record UserRow(User user, Vehicle vehicle) {}

    /** A balance beside one of its events, which is null where there is none. */
    record WalletRow(int coins, CoinEvent event) {}

    private static final Role[] ROLES = Role.values();
    private static final PaymentMethod[] PAYMENT_METHODS = PaymentMethod.values();
    private static final UserStatus[] STATUSES = UserStatus.values();
    private static final VehicleType[] TYPES = VehicleType.values();
    private static final VehicleEnergySource[] ENERGY_SOURCES = VehicleEnergySource.values();

    private Rows() {}

    static long id(ResultSet row) throws SQLException {
        return row.getLong("id");
    }

    static int coins(ResultSet row) throws SQLException {
        return row.getInt("coins");
    }

    static Account account(ResultSet row) throws SQLException {
        return new Account(
                id(row),
                row.getString("first_name"),
                row.getString("last_name"),
                row.getString("password_hash"),
                ROLES[row.getInt("role")],
                STATUSES[row.getInt("status")]);
    }

    static RichCustomer richCustomer(ResultSet row) throws SQLException {
        return new RichCustomer(
                Names.full(row.getString("first_name"), row.getString("last_name")),
                row.getString("email"),
                coins(row));
    }

    static PaymentMethod paymentMethod(ResultSet row) throws SQLException {
        return PAYMENT_METHODS[row.getInt("payment_method")];
    }

    static Balance balance(ResultSet row) throws SQLException {
        return new Balance(id(row), coins(row));
    }

    static OwnedPlate ownedPlate(ResultSet row) throws SQLException {
        return new OwnedPlate(row.getString("plate"), row.getLong("user_id"));
    }

    static StoredDebit storedDebit(ResultSet row) throws SQLException {
        return new StoredDebit(row.getLong("user_id"), row.getInt("amount"));
    }

    static StoredAnswer storedAnswer(ResultSet row) throws SQLException {
        return new StoredAnswer(
                row.getBytes("digest"), row.getInt("status"), row.getString("body"));
    }

    static UserRow user(ResultSet row) throws SQLException {
        var user =
                new User(
                        id(row),
                        row.getString("first_name"),
                        row.getString("last_name"),
                        row.getString("email"),
                        row.getInt("nif"),
                        List.of(),
                        coins(row),
                        new ArrayList<>(),
                        ROLES[row.getInt("role")],
                        paymentMethod(row),
                        STATUSES[row.getInt("status")]);
        return new UserRow(user, vehicle(row));
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

    /** Gives null where the user of the row has none. */
    static Vehicle vehicle(ResultSet row) throws SQLException {
        String plate = row.getString("plate");
        if (plate == null) {
            return null;
        }
        VehicleType type = TYPES[row.getInt("type")];
        return new Vehicle(plate, type, ENERGY_SOURCES[row.getInt("energy")]);
    }

    static WalletRow wallet(ResultSet row) throws SQLException {
        int coins = coins(row);
        long id = id(row);
        if (row.wasNull()) {
            return new WalletRow(coins, null);
        }
        long managerId = row.getLong("manager_id");
        Long manager = row.wasNull() ? null : Long.valueOf(managerId);
        var event =
                new CoinEvent(
                        id,
                        row.getInt("amount"),
                        row.getString("reason"),
                        manager,
                        Instants.show(row.getObject("at", OffsetDateTime.class).toInstant()));
        return new WalletRow(coins, event);
    }
}
