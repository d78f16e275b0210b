package gateway;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.util.List;
import javax.net.ssl.SSLException;

/** TLS of both legs, its files read once. */
final class Tls {

    private static final List<String> VERSIONS = List.of("TLSv1.3", "TLSv1.2");

    private Tls() {}

    /** For the leg of the callers; null where it is none over TLS. */
    static SslContext forCallers(Config config) {
        if (!config.clientProtocol().isTls()) {
            return null;
        }
        try {
            return build(
                    SslContextBuilder.forServer(config.certificate(), config.key()),
                    config.clientProtocol());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "TLS_CERT and TLS_KEY must be a chain and its PKCS #8 key: " + reason(e), e);
        }
    }

    /** For the leg to the upstream, whose name is verified as well; null without TLS. */
    static SslContext forUpstream(Config config) {
        if (!config.upstreamProtocol().isTls()) {
            return null;
        }
        try {
            return build(
                    SslContextBuilder.forClient().trustManager(config.authority()),
                    config.upstreamProtocol());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException("TLS_CA must be a certificate: " + reason(e), e);
        }
    }

    private static SslContext build(SslContextBuilder builder, Protocol protocol)
            throws SSLException {
        return builder.protocols(VERSIONS)
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(
                        new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                SelectorFailureBehavior.NO_ADVERTISE,
                                SelectedListenerFailureBehavior.ACCEPT,
                                protocol.applicationProtocols()))
                .build();
    }

    private static String reason(Exception e) {
        Throwable cause = e.getCause() == null ? e : e.getCause();
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }
}
