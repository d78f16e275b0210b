package loadstone.booking;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations that tell whether the service is there, and its database. */
@RestController
class HealthController {

    private static final Map<String, String> OK = Map.of("status", "ok");

    private final Database database;

    HealthController(Database database) {
        this.database = database;
    }

    @GetMapping("/healthz")
    Mono<ResponseEntity<Map<String, String>>> live() {
        return Mono.just(Answers.ok(OK));
    }

    @GetMapping("/readyz")
    Mono<ResponseEntity<Map<String, String>>> ready() {
        return database.askReady().map(answer -> Answers.ok(OK));
    }
}
