package loadstone.users;

import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What happens to users, each in one transaction. The constraints have the last word. */
@Service
class UserService {

    private final Database database;

    UserService(Database database) {
        this.database = database;
    }

    Mono<User> create(NewUser body, String passwordHash) {
        return database.inTransaction(
                session ->
                        session.row(
                                        Sql.INSERT_USER,
                                        Rows::id,
                                        body.firstName(),
                                        body.lastName(),
                                        body.email(),
                                        passwordHash,
                                        body.nif(),
                                        body.paymentMethod().ordinal())
                                .flatMap(
                                        id ->
                                                VehicleService.insert(session, id, body.vehicle())
                                                        .thenReturn(User.created(id, body))));
    }

    Mono<User> setStatus(long id, UserStatus status) {
        return database.inTransaction(
                session ->
                        session.change(Sql.SET_STATUS, id, status.ordinal())
                                .filter(count -> count > 0)
                                .switchIfEmpty(Answers.refused(Problem.NOT_FOUND))
                                .then(Mono.defer(() -> find(session, id))));
    }

    /** Gives nothing where there is none. */
    static Mono<User> find(Session session, long id) {
        return session.list(Sql.USER, Rows::user, id)
                .flatMap(rows -> Mono.justOrEmpty(Rows.users(rows).stream().findFirst()));
    }
}
