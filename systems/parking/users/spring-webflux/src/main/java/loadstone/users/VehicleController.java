package loadstone.users;

import java.util.List;
import java.util.Objects;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The operations on vehicles. */
@RestController
class VehicleController {

    private final VehicleService service;
    private final Database database;
    private final RequestReader reader;

    VehicleController(VehicleService service, Database database, RequestReader reader) {
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/users/{id}/vehicles")
    Mono<ResponseEntity<List<Vehicle>>> list(@PathVariable long id) {
        return Answers.found(
                database.ask(session -> session.list(Sql.VEHICLES, Rows::vehicle, id))
                        .filter(rows -> !rows.isEmpty())
                        .map(VehicleController::vehicles));
    }

    private static List<Vehicle> vehicles(List<Rows.VehicleRow> rows) {
        return rows.stream().map(Rows.VehicleRow::vehicle).filter(Objects::nonNull).toList();
    }

    @PutMapping("/users/{id}/vehicles/{plate}")
    Mono<ResponseEntity<Vehicle>> put(
            @PathVariable long id, @PathVariable String plate, ServerHttpRequest request) {
        return reader.body(request, Validation::vehicleKind)
                .map(kind -> new Vehicle(plate, kind.type(), kind.energySource()))
                .flatMap(
                        vehicle ->
                                service.put(id, vehicle)
                                        .map(isNew -> Answers.of(status(isNew), vehicle)));
    }

    private static HttpStatus status(boolean isNew) {
        return isNew ? HttpStatus.CREATED : HttpStatus.OK;
    }
}
