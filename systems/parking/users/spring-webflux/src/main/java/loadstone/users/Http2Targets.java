package loadstone.users;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2HeadersFrame;

/** Escapes targets on HTTP/2 that Spring would not read as URIs, since the path decides first. */
final class Http2Targets extends ChannelInboundHandlerAdapter {

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof Http2HeadersFrame frame && frame.headers().path() != null) {
            String target = frame.headers().path().toString();
            frame.headers().path(TargetEscapes.escape(target));
        }
        context.fireChannelRead(message);
    }
}
