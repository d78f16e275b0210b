package loadstone.booking;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;

/**
 * The booking system's service on Spring MVC and Spring's JdbcClient; SPEC.md of the system says
 * what it does.
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
            run(Config.read(System.getenv()));
        } catch (IllegalArgumentException e) {
            end(CONFIGURATION, e);
        }
    }

    private static void run(Config config) {
        try {
            ConfigurableApplicationContext context = start(config);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(context)));
            var server = (WebServerApplicationContext) context;
            System.out.println(
                    "listening on " + config.host() + ":" + server.getWebServer().getPort());
        } catch (RuntimeException e) {
            end(FAILED, NestedExceptionUtils.getMostSpecificCause(e));
        }
    }

    static ConfigurableApplicationContext start(Config config) {
        var application = new SpringApplication(Main.class);
        application.setDefaultProperties(
                Map.of("server.port", config.port(), "logging.level.root", level(config)));
        application.addInitializers(
                context ->
                        ((GenericApplicationContext) context)
                                .registerBean(Config.class, () -> config));
        return application.run();
    }

    /** Libraries warn of each failed request, whose one line is the service's own. */
    private static String level(Config config) {
        return switch (config.logLevel()) {
            case "info", "debug" -> config.logLevel();
            default -> "off";
        };
    }

    private static void stop(ConfigurableApplicationContext context) {
        var stopping = new Thread(context::stop);
        stopping.start();
        try {
            stopping.join(LONGEST_END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Throwable cause) {
        System.err.println("booking: " + cause.getMessage());
        System.exit(code);
    }
}
