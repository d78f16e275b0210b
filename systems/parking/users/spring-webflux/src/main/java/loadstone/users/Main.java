package loadstone.users;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import reactor.netty.ReactorNetty;

/**
 * The parking system's service users on Spring WebFlux and the R2DBC driver; SPEC.md of the system
 * says what it does.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;

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
        } catch (RuntimeException e) {
            end(FAILED, NestedExceptionUtils.getMostSpecificCause(e));
        }
    }

    static ConfigurableApplicationContext start(Config config, Tls tls) {
        // By itself Reactor Netty has at least four, which on one CPU only take turns.
        int loops = Runtime.getRuntime().availableProcessors();
        System.setProperty(ReactorNetty.IO_WORKER_COUNT, Integer.toString(loops));
        var application = new SpringApplication(Main.class);
        application.setDefaultProperties(Map.of("server.port", config.port()));
        application.addInitializers(
                context -> {
                    var beans = (GenericApplicationContext) context;
                    beans.registerBean(Config.class, () -> config);
                    beans.registerBean(Tls.class, () -> tls);
                });
        ApplicationListener<ApplicationReadyEvent> listener = Main::sayReady;
        application.addListeners(listener);
        return application.run();
    }

    private static void sayReady(ApplicationReadyEvent event) {
        var context = (WebServerApplicationContext) event.getApplicationContext();
        int port = context.getWebServer().getPort();
        System.out.println("listening on 127.0.0.1:" + port);
        context.getBean(Registration.class).begin(port);
    }

    private static void stop(ConfigurableApplicationContext context) {
        Registration registration = context.getBean(Registration.class);
        registration.end(); // at the same time as all else
        context.stop();
        registration.awaitEnd();
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Throwable cause) {
        System.err.println("users: " + cause.getMessage());
        System.exit(code);
    }
}
