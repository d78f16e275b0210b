package loadstone.users;

import org.springframework.stereotype.Service;

/** What happens to users, each in one transaction. The constraints have the last word. */
@Service
class UserService {

    private final Database database;
    private final Users users;
    private final Vehicles vehicles;

    UserService(Database database, Users users, Vehicles vehicles) {
        this.database = database;
        this.users = users;
        this.vehicles = vehicles;
    }

    User create(NewUser body, String passwordHash) {
        return database.inTransaction(
                () -> {
                    long id = users.insert(body, passwordHash);
                    vehicles.insert(id, body.vehicle());
                    return User.created(id, body);
                });
    }

    User setStatus(long id, UserStatus status) {
        return database.inTransaction(
                () -> {
                    if (!users.setStatus(id, status)) {
                        throw new Refusal(Problem.NOT_FOUND);
                    }
                    return users.find(id).orElseThrow();
                });
    }
}
