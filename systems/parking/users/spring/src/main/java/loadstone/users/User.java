package loadstone.users;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/** A user, as it is answered. Nobody has parked yet. */
@JsonPropertyOrder({
    "id",
    "firstName",
    "lastName",
    "email",
    "nif",
    "parkingHistory",
    "totalParkies",
    "vehicles",
    "role",
    "paymentMethod",
    "userStatus"
})
record User(
        long id,
        String firstName,
        String lastName,
        String email,
        int nif,
        List<String> parkingHistory,
        int totalParkies,
        List<Vehicle> vehicles,
        Role role,
        PaymentMethod paymentMethod,
        UserStatus userStatus) {

    /** Gives the user that a body has made. */
    static User created(long id, NewUser body) {
        return new User(
                id,
                body.firstName(),
                body.lastName(),
                body.email(),
                body.nif(),
                List.of(),
                0,
                List.of(body.vehicle()),
                Role.CUSTOMER,
                body.paymentMethod(),
                UserStatus.ENABLED);
    }
}
