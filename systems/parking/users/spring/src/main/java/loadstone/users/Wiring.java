package loadstone.users;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The parts that Spring does not make by itself. */
@Configuration(proxyBeanMethods = false)
class Wiring {

    @Bean
    JacksonJson json() {
        return new JacksonJson();
    }

    @Bean
    JsonMapper mapper(JacksonJson json) {
        return json.mapper();
    }

    @Bean
    Tokens tokens(Config config) {
        return new Tokens(config);
    }

    @Bean
    Hashes hashes() {
        return new Hashes(new SpringBcrypt(), Limits.PASSWORD_COST);
    }

    @Bean
    HikariDataSource dataSource(Config config) {
        return Pool.open(config);
    }

    /** Where there is no registry, it does nothing. */
    @Bean
    Registration registration(Config config) {
        RegistryConnection registry =
                config.registry() == null ? null : new RestClientRegistry(config.registry());
        return new Registration(registry, config.host(), config.protocol().isTls());
    }
}
