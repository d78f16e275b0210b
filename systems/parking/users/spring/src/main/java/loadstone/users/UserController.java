package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations on users without a password. */
@RestController
class UserController {

    private final Users users;
    private final UserService service;
    private final Database database;
    private final RequestReader reader;

    UserController(Users users, UserService service, Database database, RequestReader reader) {
        this.users = users;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/users")
    ResponseEntity<List<User>> list() {
        return Answers.ok(database.ask(users::list));
    }

    @GetMapping("/users/top-coins")
    ResponseEntity<List<RichCustomer>> richest() {
        return Answers.ok(database.ask(users::richest));
    }

    @GetMapping("/users/{id}")
    ResponseEntity<User> get(@PathVariable long id) {
        return Answers.found(database.ask(() -> users.find(id)));
    }

    @PutMapping("/users/{id}/status")
    ResponseEntity<User> setStatus(@PathVariable long id, HttpServletRequest request)
            throws IOException {
        return Answers.ok(service.setStatus(id, Validation.status(reader.body(request))));
    }

    @GetMapping("/users/{id}/payment-method")
    ResponseEntity<PaymentMethodAnswer> paymentMethod(@PathVariable long id) {
        return Answers.found(
                database.ask(() -> users.paymentMethod(id)).map(PaymentMethodAnswer::new));
    }

    @PutMapping("/users/{id}/payment-method")
    ResponseEntity<PaymentMethodAnswer> setPaymentMethod(
            @PathVariable long id, HttpServletRequest request) throws IOException {
        PaymentMethod paymentMethod = Validation.paymentMethod(reader.body(request));
        if (!database.ask(() -> users.setPaymentMethod(id, paymentMethod))) {
            throw new Refusal(Problem.NOT_FOUND);
        }
        return Answers.ok(new PaymentMethodAnswer(paymentMethod));
    }
}
