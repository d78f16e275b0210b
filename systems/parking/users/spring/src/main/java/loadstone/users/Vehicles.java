package loadstone.users;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The table of vehicles. Each method is one statement. */
@Repository
class Vehicles {

    private final JdbcClient jdbc;

    Vehicles(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Gives nothing where there is no such user. */
    Optional<List<Vehicle>> ofUser(long userId) {
        return jdbc.sql(
                        """
                        SELECT u.id, v.plate, v.type, v.energy
                        FROM app_user u LEFT JOIN vehicle v ON v.user_id = u.id
                        WHERE u.id = :userId ORDER BY v.plate
                        """)
                .param("userId", userId)
                .query(Rows.VEHICLES);
    }

    /** Gives those of the user, and the one of the plate, whoever has it. */
    List<OwnedPlate> rivals(long userId, String plate) {
        return jdbc.sql(
                        """
                        SELECT plate, user_id FROM vehicle
                        WHERE user_id = :userId OR plate = :plate
                        """)
                .param("userId", userId)
                .param("plate", plate)
                .query(Rows::ownedPlate)
                .list();
    }

    void insert(long userId, Vehicle vehicle) {
        jdbc.sql(
                        """
                        INSERT INTO vehicle (plate, user_id, type, energy)
                        VALUES (:plate, :userId, :type, :energy)
                        """)
                .param("plate", vehicle.licensePlateNumber())
                .param("userId", userId)
                .param("type", vehicle.vehicleType().ordinal())
                .param("energy", vehicle.vehicleEnergySource().ordinal())
                .update();
    }

    void update(Vehicle vehicle) {
        jdbc.sql("UPDATE vehicle SET type = :type, energy = :energy WHERE plate = :plate")
                .param("plate", vehicle.licensePlateNumber())
                .param("type", vehicle.vehicleType().ordinal())
                .param("energy", vehicle.vehicleEnergySource().ordinal())
                .update();
    }
}
