package gateway;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http2.DefaultHttp2WindowUpdateFrame;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2FrameCodec;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2GoAwayFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.codec.http2.Http2Settings;
import io.netty.handler.codec.http2.Http2SettingsFrame;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.timeout.IdleStateEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Promise;
import java.io.IOException;

/** The pipeline of a connection of HTTP/2, on whose streams the handlers of HTTP/1.1 are. */
final class Http2 {

    /** Requests at the same time on one connection of a caller. */
    static final int MOST_STREAMS = 250;

    private static final int WITHOUT_END = -1;

    private Http2() {}

    static void serve(ChannelPipeline pipeline, ChannelHandler streams) {
        Http2Settings settings = Http2Settings.defaultSettings().maxConcurrentStreams(MOST_STREAMS);
        Http2FrameCodec codec =
                Http2FrameCodecBuilder.forServer().initialSettings(settings).build();
        add(pipeline, codec, new Http2MultiplexHandler(streams));
    }

    /** Calls the upstream, which is ready once it has said how many streams it allows. */
    static void call(ChannelPipeline pipeline, Promise<Channel> ready) {
        Http2Settings settings = Http2Settings.defaultSettings().pushEnabled(false);
        Http2FrameCodec codec =
                Http2FrameCodecBuilder.forClient().initialSettings(settings).build();
        add(pipeline, codec, new Http2MultiplexHandler(new ChannelInboundHandlerAdapter()));
        pipeline.addBefore(
                pipeline.context(ConnectionHandler.class).name(), null, new Greeting(ready));
    }

    private static void add(
            ChannelPipeline pipeline, Http2FrameCodec codec, Http2MultiplexHandler streams) {
        // How long requests in flight may take is said elsewhere, for HTTP/1.1 as well.
        codec.gracefulShutdownTimeoutMillis(WITHOUT_END);
        // Streams that are answered in one turn of the event loop share a write.
        var flushes =
                new FlushConsolidationHandler(
                        FlushConsolidationHandler.DEFAULT_EXPLICIT_FLUSH_AFTER_FLUSHES, true);
        pipeline.addLast(flushes, codec, streams, new ConnectionHandler(codec));
        // So much that streams nobody reads from hold up no other: each has but its own window.
        int window = (MOST_STREAMS - 1) * Http2CodecUtil.DEFAULT_WINDOW_SIZE;
        pipeline.context(streams).write(new DefaultHttp2WindowUpdateFrame(window));
    }

    private static final class Greeting extends ChannelInboundHandlerAdapter {

        private final Promise<Channel> ready;

        Greeting(Promise<Channel> ready) {
            this.ready = ready;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            if (frame instanceof Http2SettingsFrame) {
                ctx.pipeline().remove(this);
                ready.trySuccess(ctx.channel());
            }
            ctx.fireChannelRead(frame);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ready.tryFailure(new IOException("closed before its settings"));
            ctx.fireChannelInactive();
        }
    }

    /** What concerns the connection, and not one of its streams. */
    private static final class ConnectionHandler extends ChannelInboundHandlerAdapter {

        private final Http2FrameCodec codec;

        ConnectionHandler(Http2FrameCodec codec) {
            this.codec = codec;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object frame) {
            boolean isLast = frame instanceof Http2GoAwayFrame;
            ReferenceCountUtil.release(frame);
            if (isLast) {
                ctx.close(); // once the streams that there are have ended
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            boolean isIdle =
                    event instanceof IdleStateEvent && codec.connection().numActiveStreams() == 0;
            if (isIdle || event == InFlight.STOP) {
                ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }
}
