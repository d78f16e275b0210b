package loadstone.booking;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations that tell whether the service is there, and its database. */
@RestController
class HealthController {

    private static final Map<String, String> OK = Map.of("status", "ok");

    private final Database database;

    HealthController(Database database) {
        this.database = database;
    }

    @GetMapping("/healthz")
    ResponseEntity<Map<String, String>> live() {
        return Answers.ok(OK);
    }

    @GetMapping("/readyz")
    ResponseEntity<Map<String, String>> ready() {
        database.askReady();
        return Answers.ok(OK);
    }
}
