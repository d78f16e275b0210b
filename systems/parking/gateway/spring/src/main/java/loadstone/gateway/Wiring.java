package loadstone.gateway;

import java.time.Clock;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The parts that know nothing of Spring. */
@Configuration(proxyBeanMethods = false)
class Wiring {

    @Bean
    Tokens tokens(Config config) {
        return new Tokens(config.tokenSecret(), Clock.systemUTC());
    }

    @Bean
    Origins origins(Config config) {
        return new Origins(config.allowedOrigin());
    }

    @Bean
    Instances instances(Config config) {
        var instances = new Instances(System::nanoTime);
        if (config.instances() != null) {
            instances.replace(config.instances());
        }
        return instances;
    }

    /** Where there is no registry, it does nothing. */
    @Bean
    Discovery discovery(Config config, Instances instances) {
        return new Discovery(config, instances);
    }
}
