package loadstone.booking;

import com.zaxxer.hikari.HikariDataSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** The parts that Spring does not make by itself. */
@Configuration(proxyBeanMethods = false)
class Wiring {

    @Bean
    FailureLog failureLog(Config config) {
        return new FailureLog(config);
    }

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
    Hashes hashes(Config config) {
        return new Hashes(new SpringBcrypt(), config.passwordCost());
    }

    @Bean
    HikariDataSource dataSource(Config config) {
        return Pool.open(config);
    }
}
