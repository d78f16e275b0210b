package loadstone.users;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operation that tells how the service is. */
@RestController
class HealthController {

    private static final Map<String, String> UP = Map.of("status", "up");

    private final Database database;

    HealthController(Database database) {
        this.database = database;
    }

    @GetMapping("/health")
    Mono<ResponseEntity<Map<String, String>>> get() {
        return database.askReady().map(answer -> Answers.ok(UP));
    }
}
