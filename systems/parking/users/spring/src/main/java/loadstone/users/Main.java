package loadstone.users;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/**
 * The parking system's service users on Spring MVC and Spring's JdbcClient; SPEC.md of the system
 * says what it does.
 */
@SpringBootApplication(proxyBeanMethods = false, exclude = ErrorMvcAutoConfiguration.class)
public class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;

    /** Of the 5 s that SPEC.md has: what still works then, such as on a hash, is cut off. */
    private static final long LONGEST_END_MS = 4900;

    /** Serves until SIGTERM or SIGINT. */
    public static void main(String[] arguments) {
        try {
            Config config = Config.read(System.getenv());
            run(config, Tls.read(config));
        } catch (IllegalArgumentException e) {
            end(CONFIGURATION, e);
        }
    }

    private static void run(Config config, Tls tls) {
        try {
            ConfigurableApplicationContext context = start(config, tls);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(context)));
            var server = (WebServerApplicationContext) context;
            int port = server.getWebServer().getPort();
            System.out.println("listening on " + config.host() + ":" + port);
            context.getBean(Registration.class).begin(port);
        } catch (RuntimeException e) {
            end(FAILED, NestedExceptionUtils.getMostSpecificCause(e));
        }
    }

    static ConfigurableApplicationContext start(Config config, Tls tls) {
        var application = new SpringApplication(Main.class);
        application.setDefaultProperties(Map.of("server.port", config.port()));
        application.addInitializers(
                context -> {
                    var beans = (GenericApplicationContext) context;
                    beans.registerBean(Config.class, () -> config);
                    beans.registerBean(Tls.class, () -> tls);
                });
        return application.run();
    }

    private static void stop(ConfigurableApplicationContext context) {
        Registration registration = context.getBean(Registration.class);
        registration.end(); // at the same time as all else
        var stopping = new Thread(context::stop);
        stopping.start();
        try {
            stopping.join(LONGEST_END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        registration.awaitEnd();
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Throwable cause) {
        System.err.println("users: " + cause.getMessage());
        System.exit(code);
    }
}
