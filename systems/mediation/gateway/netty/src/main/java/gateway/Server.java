package gateway;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http2.Http2StreamFrameToHttpObjectCodec;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;

/** The gateway's server. */
final class Server {

    /** Above the users of any workload, so that none is refused while the event loop is busy. */
    private static final int BACKLOG = 1024;

    /** Longer than any pause between two requests of a load. */
    private static final int IDLE_TIMEOUT_SECONDS = 60;

    /** What an event loop has is its own, connections that many requests share included. */
    private static final int MOST_LOOPS_OF_HTTP2 = 8;

    /** How long the end of a connection may take once nothing more is to be sent. */
    private static final int CLOSE_MILLIS = 200;

    private final InFlight inFlight = new InFlight();
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final Protocol protocol;
    private final SslContext tls;
    private final Transport transport = Transport.best();
    private final Gateway gateway;
    private Channel listener;

    private Server(Config config) {
        protocol = config.clientProtocol();
        tls = Tls.forCallers(config);
        gateway = new Gateway(new Upstream(config, transport));
    }

    /** Listens. Throws IOException where the port cannot be had. */
    static Server listen(Config config) throws IOException {
        var server = new Server(config);
        int processors = Runtime.getRuntime().availableProcessors();
        int loops =
                config.upstreamProtocol().mayBeHttp2()
                        ? Math.min(processors, MOST_LOOPS_OF_HTTP2)
                        : processors;
        server.bind(config.host(), config.port(), loops);
        return server;
    }

    private void bind(String host, int port, int loops) throws IOException {
        ChannelFuture listening =
                new ServerBootstrap()
                        .group(new MultiThreadIoEventLoopGroup(loops, transport.loops()))
                        .channelFactory(transport.listeners())
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(ChannelOption.TCP_NODELAY, true)
                        .childHandler(
                                new ChannelInitializer<SocketChannel>() {
                                    @Override
                                    protected void initChannel(SocketChannel channel) {
                                        accept(channel);
                                    }
                                })
                        .bind(host, port)
                        .awaitUninterruptibly();
        if (!listening.isSuccess()) {
            throw new IOException("cannot listen: " + listening.cause().getMessage());
        }
        listener = listening.channel();
    }

    private void accept(SocketChannel channel) {
        connections.add(channel);
        ChannelPipeline pipeline = channel.pipeline();
        pipeline.addLast(new IdleStateHandler(0, 0, IDLE_TIMEOUT_SECONDS));
        if (tls != null) {
            pipeline.addLast(tls.newHandler(channel.alloc()));
        }
        switch (protocol) {
            case H1C, H1 -> serveHttp1(pipeline);
            case H2C -> serveHttp2(pipeline);
            case H2, H2_DOWNGRADE -> pipeline.addLast(new Negotiation());
        }
    }

    private void serveHttp1(ChannelPipeline pipeline) {
        pipeline.addLast(new HttpServerCodec(), new ClientHandler(gateway, inFlight));
    }

    private void serveHttp2(ChannelPipeline pipeline) {
        Http2.serve(
                pipeline,
                new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel stream) {
                        stream.pipeline()
                                .addLast(
                                        new Http2StreamFrameToHttpObjectCodec(true),
                                        new ClientHandler(gateway, inFlight));
                    }
                });
    }

    int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Accepts no more, and lets requests in flight end, for at most so long. */
    void stop(long graceMillis) throws InterruptedException {
        listener.close().awaitUninterruptibly();
        inFlight.stop();
        connections.forEach(each -> each.pipeline().fireUserEventTriggered(InFlight.STOP));
        inFlight.await(graceMillis);
        connections.close().await(CLOSE_MILLIS);
    }

    /** What ALPN came to. Quiet where a handshake fails, unlike the class it extends. */
    private final class Negotiation extends ApplicationProtocolNegotiationHandler {

        Negotiation() {
            super(ApplicationProtocolNames.HTTP_1_1);
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext ctx, String name) {
            if (name.equals(ApplicationProtocolNames.HTTP_2)) {
                serveHttp2(ctx.pipeline());
            } else if (protocol == Protocol.H2_DOWNGRADE) {
                serveHttp1(ctx.pipeline());
            } else {
                ctx.close();
            }
        }

        @Override
        protected void handshakeFailure(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
