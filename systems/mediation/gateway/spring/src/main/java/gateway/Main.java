package gateway;

import java.util.Locale;
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
 * The mediation system's gateway on Spring Cloud Gateway. It passes POST /passthrough on to its
 * upstream, and POST /transform as XML; SPEC.md of the system says how. It leaves out whatever the
 * scenarios do not ask for: actuator, discovery, retries, caches, metrics.
 */
@SpringBootApplication(proxyBeanMethods = false)
public class Main {

    private static final int FAILED = 1;
    private static final int CONFIGURATION = 2;
    private static final double MILLIS_PER_SECOND = 1_000;

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
        String host = event.getApplicationContext().getBean(Config.class).host();
        System.out.println("listening on " + host + ":" + context.getWebServer().getPort());
        double seconds = event.getTimeTaken().toMillis() / MILLIS_PER_SECOND;
        System.out.printf(Locale.ROOT, "started in %.3f seconds%n", seconds);
    }

    private static void stop(ConfigurableApplicationContext context) {
        context.stop();
        // The exit code of a signal would be 143, and all was done as it should be.
        Runtime.getRuntime().halt(0);
    }

    private static void end(int code, Throwable cause) {
        System.err.println("gateway: " + cause.getMessage());
        System.exit(code);
    }
}
