package loadstone.users;

import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on users without a password. */
@RestController
class UserController {

    private final UserService service;
    private final Database database;
    private final RequestReader reader;

    UserController(UserService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/users")
    Mono<ResponseEntity<List<User>>> list() {
        return database.ask(session -> session.list(Sql.USERS, Rows::user))
                .map(rows -> Answers.ok(Rows.users(rows)));
    }

    @GetMapping("/users/top-coins")
    Mono<ResponseEntity<List<RichCustomer>>> richest() {
        return database.ask(session -> session.list(Sql.RICHEST, Rows::richCustomer))
                .map(Answers::ok);
    }

    @GetMapping("/users/{id}")
    Mono<ResponseEntity<User>> get(@PathVariable long id) {
        return Answers.found(database.ask(session -> UserService.find(session, id)));
    }

    @PutMapping("/users/{id}/status")
    Mono<ResponseEntity<User>> setStatus(@PathVariable long id, ServerHttpRequest request) {
        return reader.body(request, Validation::status)
                .flatMap(status -> service.setStatus(id, status))
                .map(Answers::ok);
    }

    @GetMapping("/users/{id}/payment-method")
    Mono<ResponseEntity<PaymentMethodAnswer>> paymentMethod(@PathVariable long id) {
        return Answers.found(
                database.ask(session -> session.row(Sql.PAYMENT_METHOD, Rows::paymentMethod, id))
                        .map(PaymentMethodAnswer::new));
    }

    @PutMapping("/users/{id}/payment-method")
    Mono<ResponseEntity<PaymentMethodAnswer>> setPaymentMethod(
            @PathVariable long id, ServerHttpRequest request) {
        return reader.body(request, Validation::paymentMethod)
                .flatMap(
                        method ->
                                database.ask(
                                                session ->
                                                        session.change(
                                                                Sql.SET_PAYMENT_METHOD,
                                                                id,
                                                                method.ordinal()))
                                        .filter(count -> count > 0)
                                        .switchIfEmpty(Answers.refused(Problem.NOT_FOUND))
                                        .thenReturn(Answers.ok(new PaymentMethodAnswer(method))));
    }
}
