package loadstone.users;

import java.util.Map;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operation that tells whether the database is there. */
@RestController
class HealthController {

    private static final Map<String, String> UP = Map.of("status", "up");

    private final Database database;

    HealthController(Database database) {
        this.database = database;
    }

    @GetMapping("/health")
    ResponseEntity<Map<String, String>> health() {
        database.askReady();
        return Answers.ok(UP);
    }
}
