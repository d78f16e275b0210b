package loadstone.users;

import java.util.List;
import org.springframework.stereotype.Service;

/** What happens to vehicles. */
@Service
class VehicleService {

    /** Of one user. */
    private static final int MOST_VEHICLES = 3;

    private final Database database;
    private final Users users;
    private final Vehicles vehicles;

    VehicleService(Database database, Users users, Vehicles vehicles) {
        this.database = database;
        this.users = users;
        this.vehicles = vehicles;
    }

    /** Adds a vehicle or changes it, in one transaction. Gives whether it is new. */
    boolean put(long userId, Vehicle vehicle) {
        return database.inTransaction(
                () -> {
                    if (!users.lock(userId)) {
                        throw new Refusal(Problem.NOT_FOUND);
                    }
                    boolean isNew = isNew(userId, vehicle.licensePlateNumber());
                    if (isNew) {
                        vehicles.insert(userId, vehicle);
                    } else {
                        vehicles.update(vehicle);
                    }
                    return isNew;
                });
    }

    /** Throws a Refusal where it is another's, or would be one too many. */
    private boolean isNew(long userId, String plate) {
        List<OwnedPlate> rivals = vehicles.rivals(userId, plate);
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
}
