package loadstone.booking;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;

/** The parts that Quarkus does not make by itself. */
@Singleton
class Wiring {

    @Produces
    @Singleton
    Config config() {
        return Config.read(System.getenv());
    }

    @Produces
    @Singleton
    FailureLog failureLog(Config config) {
        return new FailureLog(config);
    }

    @Produces
    @Singleton
    JacksonJson json() {
        return new JacksonJson();
    }

    /** In the place of Quarkus's own. */
    @Produces
    @Singleton
    ObjectMapper mapper(JacksonJson json) {
        return json.mapper();
    }

    @Produces
    @Singleton
    Hashes hashes(Config config) {
        return new Hashes(new FavreBcrypt(), config.passwordCost());
    }
}
