package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;

/** The operations on coins. */
@RestController
class CoinController {

    private final CoinEvents events;
    private final CoinService service;
    private final Database database;
    private final RequestReader reader;

    CoinController(
            CoinEvents events, CoinService service, Database database, RequestReader reader) {
        this.events = events;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/users/{id}/coins")
    ResponseEntity<Wallet> wallet(@PathVariable long id) {
        return Answers.found(database.ask(() -> events.wallet(id)));
    }

    @PostMapping("/users/coins")
    ResponseEntity<byte[]> grant(
            HttpServletRequest request, @RequestAttribute(RouteFilter.CALLER) Caller manager)
            throws IOException {
        Object value = reader.body(request);
        String key = IdempotencyKey.of(Collections.list(request.getHeaders(IdempotencyKey.FIELD)));
        CoinService.Given given = service.grant(Validation.grant(value), key, manager.id());
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(given.status()).contentType(MediaType.APPLICATION_JSON);
        if (given.isReplayed()) {
            answer.header(IdempotencyKey.REPLAYED_FIELD, "true");
        }
        return answer.body(given.body().getBytes(StandardCharsets.UTF_8));
    }

    @PostMapping("/internal/coins/debits")
    ResponseEntity<Taken> debit(HttpServletRequest request) throws IOException {
        Debit debit = Validation.debit(reader.body(request));
        return Answers.ok(new Taken(service.debit(debit)));
    }
}
