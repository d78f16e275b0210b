package loadstone.users;

import jakarta.inject.Singleton;
import java.sql.SQLException;
import java.util.Optional;

/** What happens to users, each in one transaction. The constraints have the last word. */
@Singleton
final class UserService {

    private final Database database;

    UserService(Database database) {
        this.database = database;
    }

    User create(NewUser body, String passwordHash) {
        return database.inTransaction(
                session -> {
                    long id =
                            session.row(
                                            Sql.INSERT_USER,
                                            Rows::id,
                                            body.firstName(),
                                            body.lastName(),
                                            body.email(),
                                            passwordHash,
                                            body.nif(),
                                            body.paymentMethod().ordinal())
                                    .orElseThrow();
                    VehicleService.insert(session, id, body.vehicle());
                    return User.created(id, body);
                });
    }

    User setStatus(long id, UserStatus status) {
        return database.inTransaction(
                session -> {
                    if (session.change(Sql.SET_STATUS, status.ordinal(), id) == 0) {
                        throw new Refusal(Problem.NOT_FOUND);
                    }
                    return find(session, id).orElseThrow();
                });
    }

    static Optional<User> find(Session session, long id) throws SQLException {
        return Rows.users(session.list(Sql.USER, Rows::user, id)).stream().findFirst();
    }
}
