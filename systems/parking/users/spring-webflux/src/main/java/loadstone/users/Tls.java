package loadstone.users;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProtocols;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.springframework.boot.ssl.pem.PemContent;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.tcp.AbstractProtocolSslContextSpec;

/** What callers over TLS are shown, its files read once; null in cleartext. */
record Tls(SslContext callers) {

    /** Throws IllegalArgumentException, whose message names the variable of a wrong file. */
    static Tls read(Config config) {
        if (!config.protocol().isTls()) {
            return new Tls(null);
        }
        check("TLS_CERT", "a chain", config.certificate(), PemContent::getCertificates);
        check("TLS_KEY", "its PKCS #8 key", config.key(), PemContent::getPrivateKey);
        File certificate = config.certificate().toFile();
        File key = config.key().toFile();
        try {
            return new Tls(
                    config.protocol().isHttp2()
                            ? limited(Http2SslContextSpec.forServer(certificate, key)).sslContext()
                            : offeringHttp1(
                                    limited(Http11SslContextSpec.forServer(certificate, key))));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "TLS_KEY must be the key of TLS_CERT, not \"" + config.key() + "\"", e);
        }
    }

    private static void check(
            String name, String what, Path file, Function<PemContent, Object> part) {
        String message = name + " must be a PEM file with " + what + ", not \"" + file + "\"";
        try {
            if (part.apply(PemContent.load(file)) != null) {
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
