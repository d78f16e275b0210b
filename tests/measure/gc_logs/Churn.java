import java.lang.management.ManagementFactory;
import java.util.Random;

/**
 * Allocates for a while, collects on request, and says what the JVM's own beans count of it.
 *
 * <p>The files in this folder are of `java -Xmx64m -XX:+UseSerialGC ... Churn 40000 2` with the option that
 * Loadstone gives a JVM: its log, what this program printed (.beans), and the answer to GC.run and
 * GC.heap_info that came before the last line of that (.heap).
 */
public final class Churn {
    private static final byte[][] LIVE = new byte[2048][];

    /** Arguments: objects to allocate, collections to ask for. Ends with its standard input. */
    public static void main(String[] arguments) throws Exception {
        int objects = Integer.parseInt(arguments[0]);
        for (int forced = Integer.parseInt(arguments[1]); forced > 0; forced--) {
            System.gc();
        }
        Random random = new Random(1);
        for (int object = 0; object < objects; object++) {
            LIVE[random.nextInt(LIVE.length)] = new byte[random.nextInt(8192)];
        }
        String counted;
        long nanoTime;
        do { // Again where a collection came in between: the time then has no count that is its own.
            counted = counted();
            nanoTime = System.nanoTime();
        } while (!counted.equals(counted()));
        System.out.println(counted + "nanoTime\t" + nanoTime);
        while (System.in.read() != -1) {
            System.out.println("used\t" + ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
    }

    private static String counted() {
        var text = new StringBuilder();
        for (var bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            text.append(bean.getName()).append('\t').append(bean.getCollectionCount());
            text.append('\t').append(bean.getCollectionTime()).append('\n');
        }
        return text.toString();
    }

    private Churn() {}
}
