package loadstone.users;

import java.util.List;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What happens to vehicles. */
@Service
class VehicleService {

    /** Of one user. */
    private static final int MOST_VEHICLES = 3;

    private final Database database;

    VehicleService(Database database) {
        this.database = database;
    }

    /** Adds a vehicle or changes it, in one transaction. Gives whether it is new. */
    Mono<Boolean> put(long userId, Vehicle vehicle) {
        String plate = vehicle.licensePlateNumber();
        return database.inTransaction(
                session ->
                        session.row(Sql.LOCK_USER, Rows::id, userId)
                                .switchIfEmpty(Answers.refused(Problem.NOT_FOUND))
                                .flatMap(
                                        any ->
                                                session.list(
                                                        Sql.RIVALS,
                                                        Rows::ownedPlate,
                                                        userId,
                                                        plate))
                                .map(rivals -> isNew(rivals, userId, plate))
                                .flatMap(
                                        isNew ->
                                                (isNew
                                                                ? insert(session, userId, vehicle)
                                                                : update(session, vehicle))
                                                        .thenReturn(isNew)));
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

    static Mono<Long> insert(Session session, long userId, Vehicle vehicle) {
        return session.change(
                Sql.INSERT_VEHICLE,
                vehicle.licensePlateNumber(),
                userId,
                vehicle.vehicleType().ordinal(),
                vehicle.vehicleEnergySource().ordinal());
    }

    private static Mono<Long> update(Session session, Vehicle vehicle) {
        return session.change(
                Sql.UPDATE_VEHICLE,
                vehicle.licensePlateNumber(),
                vehicle.vehicleType().ordinal(),
                vehicle.vehicleEnergySource().ordinal());
    }
}
