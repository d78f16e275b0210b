package loadstone.booking;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on reservations. */
@RestController
class ReservationController {

    private final ReservationService service;
    private final Database database;
    private final RequestReader reader;

    ReservationController(ReservationService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @PostMapping("/reservations")
    Mono<ResponseEntity<byte[]>> reserve(
            ServerHttpRequest request, @AuthenticationPrincipal Caller player) {
        String field = request.getHeaders().getFirst(IdempotencyKey.FIELD);
        return reader.body(
                        request,
                        value -> {
                            IdempotencyKey.of(field); // before the members
                            return Validation.reservation(value, Instant.now());
                        })
                .flatMap(body -> service.reserve(body, field, player))
                .map(ReservationController::created);
    }

    private static ResponseEntity<byte[]> created(Reserved reserved) {
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.created(URI.create(reserved.location()))
                        .contentType(MediaType.APPLICATION_JSON);
        if (reserved.isReplayed()) {
            answer.header(IdempotencyKey.REPLAYED_FIELD, "true");
        }
        return answer.body(reserved.body().getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping("/reservations")
    Mono<ResponseEntity<Listing<Reservation>>> list(
            ServerHttpRequest request, @AuthenticationPrincipal Caller caller) {
        Query query = RequestReader.query(request);
        Page page = Page.descending(query);
        Selection selection = Selection.reservations(caller, ReservationFilter.of(query), page);
        return database.ask(session -> session.list(selection, Rows::reservation))
                .map(read -> Answers.ok(page.listing(read, Reservation::id)));
    }

    @GetMapping("/reservations/{id}")
    Mono<ResponseEntity<Reservation>> get(
            @PathVariable long id, @AuthenticationPrincipal Caller caller) {
        return database.ask(session -> session.row(Sql.RESERVATION, Rows::ownedReservation, id))
                .filter(found -> found.isOfPlayer(caller) || found.isOfOwner(caller))
                .switchIfEmpty(Ownership.notFound())
                .map(found -> Answers.ok(found.reservation()));
    }

    @PostMapping("/reservations/{id}/accept")
    Mono<ResponseEntity<Reservation>> accept(
            @PathVariable long id, @AuthenticationPrincipal Caller owner) {
        return service.decide(id, "accepted", owner).map(Answers::ok);
    }

    @PostMapping("/reservations/{id}/reject")
    Mono<ResponseEntity<Reservation>> reject(
            @PathVariable long id, @AuthenticationPrincipal Caller owner) {
        return service.decide(id, "rejected", owner).map(Answers::ok);
    }

    @PostMapping("/reservations/{id}/cancel")
    Mono<ResponseEntity<Reservation>> cancel(
            @PathVariable long id, @AuthenticationPrincipal Caller player) {
        return service.cancel(id, player).map(Answers::ok);
    }

    @PutMapping("/reservations/{id}/rating")
    Mono<ResponseEntity<Rating>> rate(
            @PathVariable long id,
            ServerHttpRequest request,
            @AuthenticationPrincipal Caller player) {
        return reader.body(request, Validation::rating)
                .flatMap(body -> service.rate(id, body, player))
                .map(
                        rated ->
                                Answers.of(
                                        rated.isNew() ? HttpStatus.CREATED : HttpStatus.OK,
                                        rated.rating()));
    }
}
