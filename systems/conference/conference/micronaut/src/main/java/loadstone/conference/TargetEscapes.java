package loadstone.conference;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.netty.channel.ChannelPipelineCustomizer;
import io.micronaut.http.server.netty.NettyServerCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpRequest;
import jakarta.inject.Singleton;

/**
 * Escapes what a target of a request may not have, before Micronaut reads it as a URI: it would
 * answer such a request with 400, also where the path is unknown or the query is to be ignored.
 */
@Singleton
final class TargetEscapes implements BeanCreatedEventListener<NettyServerCustomizer.Registry> {

    private static final String NOT_OF_URIS = "\"<>[\\]^`{|}#";
    private static final char FIRST_VISIBLE = '!';
    private static final char LAST_VISIBLE = '~';
    private static final int HEXADECIMAL = 16;
    private static final int LENGTH_OF_ESCAPE = 3;
    private static final int BYTE = 0xFF;

    @Override
    public NettyServerCustomizer.Registry onCreated(
            BeanCreatedEvent<NettyServerCustomizer.Registry> event) {
        event.getBean().register(new Customizer(null));
        return event.getBean();
    }

    /** Gives the target itself where there is nothing to escape. */
    static String escape(String target) {
        for (int i = 0; i < target.length(); i++) {
            if (!isAllowed(target, i)) {
                return escapeFrom(i, target);
            }
        }
        return target;
    }

    private static String escapeFrom(int first, String target) {
        var escaped = new StringBuilder(target.substring(0, first));
        for (int i = first; i < target.length(); i++) {
            char character = target.charAt(i);
            if (isAllowed(target, i)) {
                escaped.append(character);
            } else {
                // Netty gives each byte of a target as a character.
                escaped.append(String.format("%%%02X", character & BYTE));
            }
        }
        return escaped.toString();
    }

    private static boolean isAllowed(String target, int at) {
        char character = target.charAt(at);
        if (character == '%') {
            return at + LENGTH_OF_ESCAPE <= target.length()
                    && Character.digit(target.charAt(at + 1), HEXADECIMAL) >= 0
                    && Character.digit(target.charAt(at + 2), HEXADECIMAL) >= 0;
        }
        return character >= FIRST_VISIBLE
                && character <= LAST_VISIBLE
                && NOT_OF_URIS.indexOf(character) < 0;
    }

    /** Puts the handler into the pipeline of each connection. */
    private record Customizer(Channel channel) implements NettyServerCustomizer {

        @Override
        public NettyServerCustomizer specializeForChannel(Channel next, ChannelRole role) {
            return new Customizer(next);
        }

        @Override
        public void onStreamPipelineBuilt() {
            channel.pipeline()
                    .addBefore(
                            ChannelPipelineCustomizer.HANDLER_MICRONAUT_INBOUND,
                            "target-escapes",
                            new Handler());
        }
    }

    private static final class Handler extends ChannelInboundHandlerAdapter {

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                request.setUri(escape(request.uri()));
            }
            context.fireChannelRead(message);
        }
    }
}
