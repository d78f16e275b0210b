package loadstone.gateway;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProtocols;
import java.io.File;
import java.io.IOException;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.springframework.boot.ssl.pem.PemContent;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.tcp.AbstractProtocolSslContextSpec;

/** TLS of both legs, its files read once; null where a leg has none. */
record Tls(SslContext callers, SslContext upstream) {

    /** Throws IllegalArgumentException, whose message names the variable of a wrong file. */
    static Tls read(Config config) {
        return new Tls(forCallers(config), forUpstream(config));
    }

    private static SslContext forCallers(Config config) {
        if (!config.clientProtocol().isTls()) {
            return null;
        }
        check("TLS_CERT", "a chain", config.certificate(), PemContent::getCertificates);
        check("TLS_KEY", "its PKCS #8 key", config.key(), PemContent::getPrivateKey);
        try {
            return config.clientProtocol().isHttp2()
                    ? limited(Http2SslContextSpec.forServer(config.certificate(), config.key()))
                            .sslContext()
                    : offeringHttp1(
                            limited(
                                    Http11SslContextSpec.forServer(
                                            config.certificate(), config.key())));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "TLS_KEY must be the key of TLS_CERT, not \"" + config.key() + "\"", e);
        }
    }

    private static SslContext forUpstream(Config config) {
        if (!config.upstreamProtocol().isTls()) {
            return null;
        }
        check("TLS_CA", "a certificate", config.authority(), PemContent::getCertificates);
        try {
            return config.upstreamProtocol().isHttp2()
                    ? trusting(limited(Http2SslContextSpec.forClient()), config).sslContext()
                    : offeringHttp1(trusting(limited(Http11SslContextSpec.forClient()), config));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "TLS_CA must be a certificate, not \"" + config.authority() + "\"", e);
        }
    }

    private static void check(
            String name, String what, File file, Function<PemContent, Object> part) {
        String message = name + " must be a PEM file with " + what + ", not \"" + file + "\"";
        try {
            if (part.apply(PemContent.load(file.toPath())) != null) {
                return;
            }
        } catch (IOException | IllegalStateException | IllegalArgumentException e) {
            throw new IllegalArgumentException(message, e);
        }
        throw new IllegalArgumentException(message);
    }

    private static <T extends AbstractProtocolSslContextSpec<T>> T limited(T spec) {
        return spec.configure(
                builder -> builder.protocols(SslProtocols.TLS_v1_3, SslProtocols.TLS_v1_2));
    }

    private static <T extends AbstractProtocolSslContextSpec<T>> T trusting(T spec, Config config) {
        return spec.configure(builder -> builder.trustManager(config.authority()));
    }

    /** Says so by ALPN, which the specification for HTTP/1.1 alone leaves out. */
    private static SslContext offeringHttp1(Http11SslContextSpec spec) throws SSLException {
        var offer =
                new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_1_1);
        return spec.configure(builder -> builder.applicationProtocolConfig(offer)).sslContext();
    }
}
