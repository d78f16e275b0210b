package loadstone.users;

import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.List;

/** What happens to vehicles. */
@Singleton
final class VehicleService {

    /** Of one user. */
    private static final int MOST_VEHICLES = 3;

    private final Database database;

    VehicleService(Database database) {
        this.database = database;
    }

    /** Adds a vehicle or changes it, in one transaction. Gives whether it is new. */
    boolean put(long userId, Vehicle vehicle) {
        String plate = vehicle.licensePlateNumber();
        return database.inTransaction(
                session -> {
                    if (session.row(Sql.LOCK_USER, Rows::id, userId).isEmpty()) {
                        throw new Refusal(Problem.NOT_FOUND);
                    }
                    List<OwnedPlate> rivals =
                            session.list(Sql.RIVALS, Rows::ownedPlate, userId, plate);
                    boolean isNew = isNew(rivals, userId, plate);
                    if (isNew) {
                        insert(session, userId, vehicle);
                    } else {
                        update(session, vehicle);
                    }
                    return isNew;
                });
    }

    /** Throws a Refusal where it is another's, or would be one too many. */
    private static boolean isNew(List<OwnedPlate> rivals, long userId, String plate) {
        if (rivals.stream().anyMatch(each -> each.userId() != userId)) {
            throw new Refusal(Problem.DUPLICATE_PLATE);
        }
        if (rivals.contains(new OwnedPlate(plate, userId))) {
            return false;
        }
        if (rivals.size() >= MOST_VEHICLES) {
            throw new Refusal(Problem.VEHICLE_LIMIT);
        }
        return true;
    }

    static void insert(Session session, long userId, Vehicle vehicle) throws SQLException {
        session.change(
                Sql.INSERT_VEHICLE,
                vehicle.licensePlateNumber(),
                userId,
                vehicle.vehicleType().ordinal(),
                vehicle.vehicleEnergySource().ordinal());
    }

    private static void update(Session session, Vehicle vehicle) throws SQLException {
        session.change(
                Sql.UPDATE_VEHICLE,
                vehicle.vehicleType().ordinal(),
                vehicle.vehicleEnergySource().ordinal(),
                vehicle.licensePlateNumber());
    }
}
