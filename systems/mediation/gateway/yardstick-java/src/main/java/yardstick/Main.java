package yardstick;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.net.InetSocketAddress;

/**
 * Answers every POST /passthrough with its own body, by Netty's codecs and nothing else: what an
 * answer costs in Java where no gateway is.
 */
public final class Main {

    private static final int BACKLOG = 1024;
    private static final int MAXIMUM_BODY_BYTES = 1 << 20;

    private Main() {}

    /** Serves until SIGTERM or SIGINT. */
    public static void main(String[] arguments) throws InterruptedException {
        String host = System.getenv().getOrDefault("HOST", "127.0.0.1");
        int loops = Runtime.getRuntime().availableProcessors();
        Channel listener =
                new ServerBootstrap()
                        .group(new MultiThreadIoEventLoopGroup(loops, EpollIoHandler.newFactory()))
                        .channel(EpollServerSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(
                                                        new HttpServerCodec(),
                                                        new HttpObjectAggregator(
                                                                MAXIMUM_BODY_BYTES),
                                                        new Echo());
                                    }
                                })
                        .bind(host, Integer.parseInt(System.getenv("PORT")))
                        .sync()
                        .channel();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> Runtime.getRuntime().halt(0)));
        int port = ((InetSocketAddress) listener.localAddress()).getPort();
        System.out.println("listening on " + host + ":" + port);
    }

    private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            boolean isKnown =
                    request.uri().equals("/passthrough")
                            && request.method().equals(HttpMethod.POST);
            var response =
                    new DefaultFullHttpResponse(
                            HttpVersion.HTTP_1_1,
                            isKnown ? HttpResponseStatus.OK : HttpResponseStatus.NOT_FOUND,
                            isKnown ? request.content().retain() : context.alloc().buffer(0));
            HttpUtil.setContentLength(response, response.content().readableBytes());
            String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE);
            if (type != null) {
                response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
            }
            if (HttpUtil.isKeepAlive(request)) {
                context.writeAndFlush(response);
            } else {
                context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
            }
        }
    }
}
