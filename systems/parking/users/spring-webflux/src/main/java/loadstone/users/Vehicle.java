package loadstone.users;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/** A vehicle, as it is answered. */
@JsonPropertyOrder({"licensePlateNumber", "vehicleType", "vehicleEnergySource"})
record Vehicle(
        String licensePlateNumber,
        VehicleType vehicleType,
        VehicleEnergySource vehicleEnergySource) {}
