package loadstone.users;

import com.fasterxml.jackson.databind.ObjectMapper;
import jakarta.enterprise.inject.Disposes;
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
    Hashes hashes() {
        return new Hashes(new FavreBcrypt(), Limits.PASSWORD_COST);
    }

    /** Where there is no registry, it does nothing. */
    @Produces
    @Singleton
    Registration registration(Config config) {
        RegistryConnection registry =
                config.registry() == null ? null : new JdkRegistry(config.registry());
        return new Registration(registry, config.host(), config.protocol().isTls());
    }

    void end(@Disposes Registration registration) {
        registration.awaitEnd();
    }
}
