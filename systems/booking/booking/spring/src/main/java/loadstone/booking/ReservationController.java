package loadstone.booking;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations on reservations. */
@RestController
class ReservationController {

    private final Reservations reservations;
    private final ReservationService service;
    private final Database database;
    private final RequestReader reader;

    ReservationController(
            Reservations reservations,
            ReservationService service,
            Database database,
            RequestReader reader) {
        this.reservations = reservations;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @PostMapping("/reservations")
    ResponseEntity<byte[]> reserve(
            HttpServletRequest request, @AuthenticationPrincipal Caller player) throws IOException {
        Object value = reader.body(request);
        String key = IdempotencyKey.of(request.getHeader(IdempotencyKey.FIELD));
        ReservationBody body = Validation.reservation(value, Instant.now());
        Reserved reserved = service.reserve(body, key, player);
        ResponseEntity.BodyBuilder answer =
                ResponseEntity.created(URI.create(reserved.location()))
                        .contentType(MediaType.APPLICATION_JSON);
        if (reserved.isReplayed()) {
            answer.header(IdempotencyKey.REPLAYED_FIELD, "true");
        }
        return answer.body(reserved.body().getBytes(StandardCharsets.UTF_8));
    }

    @GetMapping("/reservations")
    ResponseEntity<Listing<Reservation>> list(
            HttpServletRequest request, @AuthenticationPrincipal Caller caller) {
        Query query = RequestReader.query(request);
        Page page = Page.descending(query);
        ReservationFilter filter = ReservationFilter.of(query);
        List<Reservation> read =
                database.ask(
                        () ->
                                switch (caller.role()) {
                                    case PLAYER ->
                                            reservations.listOfPlayer(caller.id(), filter, page);
                                    case OWNER ->
                                            reservations.listOfOwner(caller.id(), filter, page);
                                });
        return Answers.ok(page.listing(read, Reservation::id));
    }

    @GetMapping("/reservations/{id}")
    ResponseEntity<Reservation> get(@PathVariable long id, @AuthenticationPrincipal Caller caller) {
        return database.ask(() -> reservations.find(id))
                .filter(found -> found.isOfPlayer(caller) || found.isOfOwner(caller))
                .map(found -> Answers.ok(found.reservation()))
                .orElseThrow(Ownership::notFound);
    }

    @PostMapping("/reservations/{id}/accept")
    ResponseEntity<Reservation> accept(
            @PathVariable long id, @AuthenticationPrincipal Caller owner) {
        return Answers.ok(service.decide(id, "accepted", owner));
    }

    @PostMapping("/reservations/{id}/reject")
    ResponseEntity<Reservation> reject(
            @PathVariable long id, @AuthenticationPrincipal Caller owner) {
        return Answers.ok(service.decide(id, "rejected", owner));
    }

    @PostMapping("/reservations/{id}/cancel")
    ResponseEntity<Reservation> cancel(
            @PathVariable long id, @AuthenticationPrincipal Caller player) {
        return Answers.ok(service.cancel(id, player));
    }

    @PutMapping("/reservations/{id}/rating")
    ResponseEntity<Rating> rate(
            @PathVariable long id,
            HttpServletRequest request,
            @AuthenticationPrincipal Caller player)
            throws IOException {
        RatingBody body = Validation.rating(reader.body(request));
        Rated rated = service.rate(id, body, player);
        return Answers.of(rated.isNew() ? HttpStatus.CREATED : HttpStatus.OK, rated.rating());
    }
}
