package loadstone.gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.net.SocketAddress;
import javax.net.ssl.SSLHandshakeException;
import reactor.netty.ConnectionObserver;
import reactor.netty.NettyPipeline;

/**
 * Makes a handshake fail that does not end in an agreement to HTTP/2. Reactor Netty would go on
 * with what was not agreed to.
 */
final class Http2Agreement extends ChannelInboundHandlerAdapter {

    private Http2Agreement() {}

    static void require(ConnectionObserver observer, Channel channel, SocketAddress address) {
        channel.pipeline().addAfter(NettyPipeline.SslHandler, null, new Http2Agreement());
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
            String agreed = context.pipeline().get(SslHandler.class).applicationProtocol();
            if (!ApplicationProtocolNames.HTTP_2.equals(agreed)) {
                var failure = new SSLHandshakeException("no agreement to h2");
                context.fireUserEventTriggered(new SslHandshakeCompletionEvent(failure));
                context.close();
                return;
            }
        }
        context.fireUserEventTriggered(event);
    }
}
