package loadstone.gateway;

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
 * The parking system's gateway on Spring Cloud Gateway; SPEC.md of the system says what it does. It
 * leaves out whatever the system does not ask for: actuator, load balancer, caches, metrics.
 */
@SpringBootApplication(proxyBeanMethods = false)
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
            System.out.println(
                    "listening on " + config.host() + ":" + server.getWebServer().getPort());
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
        ApplicationListener<ApplicationReadyEvent> listener = Main::find;
        application.addListeners(listener);
        return application.run();
    }

    private static void find(ApplicationReadyEvent event) {
        event.getApplicationContext().getBean(Discovery.class).begin();
    }

    private static void stop(ConfigurableApplicationContext context) {
        context.getBean(Discovery.class).end();
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
        System.err.println("gateway: " + cause.getMessage());
        System.exit(code);
    }
}
