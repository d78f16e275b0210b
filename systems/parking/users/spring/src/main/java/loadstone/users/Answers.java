package loadstone.users;

import java.net.URI;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;

/** Answers of 2xx, in JSON whatever a caller accepts. */
final class Answers {

    private Answers() {}

    static <T> ResponseEntity<T> ok(T body) {
        return of(HttpStatus.OK, body);
    }

    /** Throws a Refusal where there is nothing. */
    static <T> ResponseEntity<T> found(Optional<T> body) {
        return ok(body.orElseThrow(() -> new Refusal(Problem.NOT_FOUND)));
    }

    static <T> ResponseEntity<T> of(HttpStatus status, T body) {
        return ResponseEntity.status(status).contentType(MediaType.APPLICATION_JSON).body(body);
    }

    /** Of what has a path of its own now. */
    static <T> ResponseEntity<T> created(String path, T body) {
        return ResponseEntity.created(URI.create(path))
                .contentType(MediaType.APPLICATION_JSON)
                .body(body);
    }
}
