package loadstone.conference;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/**
 * The conference system's service on Spring MVC and Spring Data JPA; SPEC.md of the system says
 * what it does. Repositories have no transactions by themselves: each operation is one statement.
 */
@SpringBootApplication(proxyBeanMethods = false, exclude = ErrorMvcAutoConfiguration.class)
@EnableJpaRepositories(enableDefaultTransactions = false)
public class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;

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
        } catch (RuntimeException e) {
            end(FAILED, NestedExceptionUtils.getMostSpecificCause(e));
        }
    }

    static ConfigurableApplicationContext start(Config config) {
        var application = new SpringApplication(Main.class);
        application.setDefaultProperties(
                Map.of(
                        "server.port",
                        config.port(),
                        "logging.level.root",
                        level(config),
                        "logging.level." + Main.class.getName(), // it says how long the start took
                        "info"));
        application.addInitializers(
                context ->
                        ((GenericApplicationContext) context)
                                .registerBean(Config.class, () -> config));
        ApplicationListener<ApplicationReadyEvent> listener = Main::sayReady;
        application.addListeners(listener);
        return application.run();
    }

    /** Libraries warn of each failed request, whose one line is the service's own. */
    private static String level(Config config) {
        return switch (config.logLevel()) {
            case "info", "debug" -> config.logLevel();
            default -> "off";
        };
    }

    private static void sayReady(ApplicationReadyEvent event) {
        var context = (WebServerApplicationContext) event.getApplicationContext();
        String host = event.getApplicationContext().getBean(Config.class).host();
        System.out.println("listening on " + host + ":" + context.getWebServer().getPort());
    }

    private static void stop(ConfigurableApplicationContext context) {
        context.stop();
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Throwable cause) {
        System.err.println("conference: " + cause.getMessage());
        System.exit(code);
    }
}
