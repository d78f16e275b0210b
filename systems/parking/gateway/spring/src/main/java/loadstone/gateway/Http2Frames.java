package loadstone.gateway;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2ResetFrame;

/** Listens on the stream of an attempt for what says that the service did not process it. */
final class Http2Frames extends ChannelInboundHandlerAdapter {

    private final Attempt attempt;

    Http2Frames(Attempt attempt) {
        this.attempt = attempt;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        // Only streams behind the last one that a GOAWAY names are told of it.
        boolean isRefused =
                event instanceof Http2ResetFrame reset
                        ? reset.errorCode() == Http2Error.REFUSED_STREAM.code()
                        : event instanceof Http2GoAwayFrame;
        if (isRefused) {
            attempt.refused();
        }
        context.fireUserEventTriggered(event);
    }
}
