package loadstone.users;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on coins. */
@RestController
class CoinController {

    /** A grant, and the key that it came with. */
    private record KeyedGrant(Grant grant, String key) {}

    private final CoinService service;
    private final Database database;
    private final RequestReader reader;

    CoinController(CoinService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/users/{id}/coins")
    Mono<ResponseEntity<Wallet>> wallet(@PathVariable long id) {
        return Answers.found(
                database.ask(session -> session.list(Sql.WALLET, Rows::wallet, id))
                        .filter(rows -> !rows.isEmpty())
                        .map(rows -> wallet(id, rows)));
    }

    private static Wallet wallet(long id, List<Rows.WalletRow> rows) {
        List<CoinEvent> events =
                rows.stream().map(Rows.WalletRow::event).filter(Objects::nonNull).toList();
        return new Wallet(id, rows.get(0).coins(), events);
    }

    @PostMapping("/users/coins")
    Mono<ResponseEntity<byte[]>> grant(
            ServerHttpRequest request, @RequestAttribute(RouteFilter.CALLER) Caller manager) {
        List<String> keys = request.getHeaders().getOrEmpty(IdempotencyKey.FIELD);
        return reader.body(request, value -> keyed(value, keys))
                .flatMap(asked -> service.grant(asked.grant(), asked.key(), manager.id()))
                .map(CoinController::answer);
    }

    /** The key is looked at once the body is known to be JSON. Throws a Refusal. */
    private static KeyedGrant keyed(Object value, List<String> keys) {
        String key = IdempotencyKey.of(keys);
        return new KeyedGrant(Validation.grant(value), key);
    }

    private static ResponseEntity<byte[]> answer(CoinService.Given given) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.status(given.status()).contentType(MediaType.APPLICATION_JSON);
        if (given.isReplayed()) {
            answer.header(IdempotencyKey.REPLAYED_FIELD, "true");
        }
        return answer.body(given.body().getBytes(StandardCharsets.UTF_8));
    }

    @PostMapping("/internal/coins/debits")
    Mono<ResponseEntity<Taken>> debit(ServerHttpRequest request) {
        return reader.body(request, Validation::debit)
                .flatMap(service::debit)
                .map(coins -> Answers.ok(new Taken(coins)));
    }
}
