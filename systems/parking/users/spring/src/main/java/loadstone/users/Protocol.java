package loadstone.users;

import java.util.Arrays;
import java.util.List;

/** What the callers of the service speak. */
enum Protocol {
    H1C("h1c", false, false),
    H1("h1", true, false),
    H2C("h2c", false, true),
    H2("h2", true, true);

    private final String text;
    private final boolean isTls;
    private final boolean isHttp2;

    Protocol(String text, boolean isTls, boolean isHttp2) {
        this.text = text;
        this.isTls = isTls;
        this.isHttp2 = isHttp2;
    }

    static List<String> names() {
        return Arrays.stream(values()).map(each -> each.text).toList();
    }

    /** Gives the one of a name that there is. */
    static Protocol of(String text) {
        return values()[names().indexOf(text)];
    }

    boolean isTls() {
        return isTls;
    }

    boolean isHttp2() {
        return isHttp2;
    }
}
