package loadstone.users;

import java.net.URI;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import reactor.core.publisher.Mono;

/** Answers of 2xx, in JSON whatever a caller accepts. */
final class Answers {

    private Answers() {}

    static <T> ResponseEntity<T> ok(T body) {
        return of(HttpStatus.OK, body);
    }

    /** Fails with a Refusal where there is nothing. */
    static <T> Mono<ResponseEntity<T>> found(Mono<T> body) {
        return body.switchIfEmpty(refused(Problem.NOT_FOUND)).map(Answers::ok);
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

    static <T> Mono<T> refused(Problem problem) {
        return Mono.error(() -> new Refusal(problem));
    }
}
