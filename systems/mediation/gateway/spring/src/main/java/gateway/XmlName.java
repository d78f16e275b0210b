package gateway;

/**
 * A name in XML, its prefix empty where it has none. Its characters are for the writer to check.
 */
record XmlName(String prefix, String local) {

    private static final String DECLARATION = "xmlns";

    static XmlName of(String text) throws Conversion.Refused {
        int colon = text.indexOf(':');
        if (text.isEmpty() || colon == 0 || colon == text.length() - 1) {
            throw new Conversion.Refused("a name that XML does not have");
        }
        return colon < 0
                ? new XmlName("", text)
                : new XmlName(text.substring(0, colon), text.substring(colon + 1));
    }

    /** Whether an attribute of this name declares a namespace. */
    boolean isDeclaration() {
        return prefix.equals(DECLARATION) || isDefaultDeclaration();
    }

    boolean isDefaultDeclaration() {
        return prefix.isEmpty() && local.equals(DECLARATION);
    }
}
