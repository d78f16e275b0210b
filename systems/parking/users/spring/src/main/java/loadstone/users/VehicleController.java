package loadstone.users;

import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RestController;

/** The operations on vehicles. */
@RestController
class VehicleController {

    private final Vehicles vehicles;
    private final VehicleService service;
    private final Database database;
    private final RequestReader reader;

    VehicleController(
            Vehicles vehicles, VehicleService service, Database database, RequestReader reader) {
        this.vehicles = vehicles;
        this.service = service;
        this.database = database;
        this.reader = reader;
    }

    @GetMapping("/users/{id}/vehicles")
    ResponseEntity<List<Vehicle>> list(@PathVariable long id) {
        return Answers.found(database.ask(() -> vehicles.ofUser(id)));
    }

    @PutMapping("/users/{id}/vehicles/{plate}")
    ResponseEntity<Vehicle> put(
            @PathVariable long id, @PathVariable String plate, HttpServletRequest request)
            throws IOException {
        VehicleKind kind = Validation.vehicleKind(reader.body(request));
        var vehicle = new Vehicle(plate, kind.type(), kind.energySource());
        boolean isNew = service.put(id, vehicle);
        return Answers.of(isNew ? HttpStatus.CREATED : HttpStatus.OK, vehicle);
    }
}
