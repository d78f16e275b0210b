package loadstone.users;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.ResultSetExtractor;

/** Rows of the tables as what they are. */
final class Rows {

    /** The users of rows that are one for each vehicle, and one for who has none. */
    static final ResultSetExtractor<List<User>> USERS = Rows::users;

    /** The vehicles of such rows of one user, or nothing where there is no row. */
    static final ResultSetExtractor<Optional<List<Vehicle>>> VEHICLES = Rows::vehicles;

    private static final Role[] ROLES = Role.values();
    private static final PaymentMethod[] PAYMENT_METHODS = PaymentMethod.values();
    private static final UserStatus[] STATUSES = UserStatus.values();
    private static final VehicleType[] TYPES = VehicleType.values();
    private static final VehicleEnergySource[] ENERGY_SOURCES = VehicleEnergySource.values();

    private Rows() {}

    static Account account(ResultSet row, int number) throws SQLException {
        return new Account(
                row.getLong("id"),
                row.getString("first_name"),
                row.getString("last_name"),
                row.getString("password_hash"),
                ROLES[row.getInt("role")],
                STATUSES[row.getInt("status")]);
    }

    static RichCustomer richCustomer(ResultSet row, int number) throws SQLException {
        return new RichCustomer(
                Names.full(row.getString("first_name"), row.getString("last_name")),
                row.getString("email"),
                row.getInt("coins"));
    }

    static PaymentMethod paymentMethod(ResultSet row, int number) throws SQLException {
        return PAYMENT_METHODS[row.getInt("payment_method")];
    }

    static Balance balance(ResultSet row, int number) throws SQLException {
        return new Balance(row.getLong("id"), row.getInt("coins"));
    }

    static OwnedPlate ownedPlate(ResultSet row, int number) throws SQLException {
        return new OwnedPlate(row.getString("plate"), row.getLong("user_id"));
    }

    static StoredDebit storedDebit(ResultSet row, int number) throws SQLException {
        return new StoredDebit(row.getLong("user_id"), row.getInt("amount"));
    }

    static StoredAnswer storedAnswer(ResultSet row, int number) throws SQLException {
        return new StoredAnswer(
                row.getBytes("digest"), row.getInt("status"), row.getString("body"));
    }

    private static List<User> users(ResultSet rows) throws SQLException {
        var users = new ArrayList<User>();
        User last = null;
        while (rows.next()) {
            if (last == null || last.id() != rows.getLong("id")) {
                last = user(rows);
                users.add(last);
            }
            addVehicle(rows, last.vehicles());
        }
        return users;
    }

    /** A user whose vehicles are still to come. */
    private static User user(ResultSet row) throws SQLException {
        return new User(
                row.getLong("id"),
                row.getString("first_name"),
                row.getString("last_name"),
                row.getString("email"),
                row.getInt("nif"),
                List.of(),
                row.getInt("coins"),
                new ArrayList<>(),
                ROLES[row.getInt("role")],
                PAYMENT_METHODS[row.getInt("payment_method")],
                STATUSES[row.getInt("status")]);
    }

    private static Optional<List<Vehicle>> vehicles(ResultSet rows) throws SQLException {
        List<Vehicle> vehicles = null;
        while (rows.next()) {
            if (vehicles == null) {
                vehicles = new ArrayList<>();
            }
            addVehicle(rows, vehicles);
        }
        return Optional.ofNullable(vehicles);
    }

    /** Adds the vehicle of a row, where it has one. */
    private static void addVehicle(ResultSet row, List<Vehicle> vehicles) throws SQLException {
        String plate = row.getString("plate");
        if (plate != null) {
            VehicleType type = TYPES[row.getInt("type")];
            vehicles.add(new Vehicle(plate, type, ENERGY_SOURCES[row.getInt("energy")]));
        }
    }

    /** Gives the wallet of a user, or nothing where there is no row. */
    static Optional<Wallet> wallet(long userId, ResultSet rows) throws SQLException {
        Wallet wallet = null;
        while (rows.next()) {
            if (wallet == null) {
                wallet = new Wallet(userId, rows.getInt("coins"), new ArrayList<>());
            }
            long id = rows.getLong("id");
            if (!rows.wasNull()) {
                wallet.events().add(coinEvent(id, rows));
            }
        }
        return Optional.ofNullable(wallet);
    }

    private static CoinEvent coinEvent(long id, ResultSet row) throws SQLException {
        long managerId = row.getLong("manager_id");
        Long manager = row.wasNull() ? null : Long.valueOf(managerId);
        OffsetDateTime at = row.getObject("at", OffsetDateTime.class);
        return new CoinEvent(
                id,
                row.getInt("amount"),
                row.getString("reason"),
                manager,
                Instants.show(at.toInstant()));
    }
}
