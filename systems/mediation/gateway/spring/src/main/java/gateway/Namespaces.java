package gateway;

import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.XMLConstants;

/** The namespaces that an element declares, inside those of the elements around it. */
final class Namespaces {

    /** What is known without a declaration. */
    static final Namespaces NONE = new Namespaces(null);

    private final Namespaces outer;
    private final Map<String, String> own = new LinkedHashMap<>();

    private Namespaces(Namespaces outer) {
        this.outer = outer;
    }

    Namespaces inner() {
        return new Namespaces(this);
    }

    /** The declarations of the element itself: by prefix, empty for the default one. */
    Map<String, String> own() {
        return own;
    }

    /** Namespaces in XML 1.0, section 3: what may not be declared, or not be taken back. */
    void declare(XmlName name, String uri) throws Conversion.Refused {
        String prefix = name.isDefaultDeclaration() ? "" : name.local();
        boolean isXml = prefix.equals(XMLConstants.XML_NS_PREFIX);
        if (isXml != uri.equals(XMLConstants.XML_NS_URI)
                || uri.equals(XMLConstants.XMLNS_ATTRIBUTE_NS_URI)
                || prefix.equals(XMLConstants.XMLNS_ATTRIBUTE)
                || (uri.isEmpty() && !prefix.isEmpty())
                || own.putIfAbsent(prefix, uri) != null) {
            throw new Conversion.Refused("a namespace that cannot be declared");
        }
    }

    String ofElement(XmlName name) throws Conversion.Refused {
        return find(name.prefix());
    }

    /** An attribute without prefix is in no namespace, whatever the one of the elements. */
    String ofAttribute(XmlName name) throws Conversion.Refused {
        return name.prefix().isEmpty() ? "" : find(name.prefix());
    }

    private String find(String prefix) throws Conversion.Refused {
        for (Namespaces scope = this; scope != null; scope = scope.outer) {
            String uri = scope.own.get(prefix);
            if (uri != null) {
                return uri;
            }
        }
        if (prefix.isEmpty()) {
            return "";
        }
        if (prefix.equals(XMLConstants.XML_NS_PREFIX)) {
            return XMLConstants.XML_NS_URI;
        }
        throw new Conversion.Refused("a prefix that nothing declares");
    }
}
