package gateway;

import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslContext;
import javax.net.ssl.SSLException;
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
        try {
            return config.clientProtocol().mayBeHttp2()
                    ? Http2SslContextSpec.forServer(config.certificate(), config.key()).sslContext()
                    : offeringHttp1(
                            Http11SslContextSpec.forServer(config.certificate(), config.key()));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "TLS_CERT and TLS_KEY must be a chain and its PKCS #8 key: " + reason(e), e);
        }
    }

    private static SslContext forUpstream(Config config) {
        if (!config.upstreamProtocol().isTls()) {
            return null;
        }
        try {
            return config.upstreamProtocol().mayBeHttp2()
                    ? trusting(Http2SslContextSpec.forClient(), config).sslContext()
                    : offeringHttp1(trusting(Http11SslContextSpec.forClient(), config));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("TLS_CA must be a certificate: " + reason(e), e);
        }
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

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
