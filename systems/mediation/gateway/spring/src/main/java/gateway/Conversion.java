package gateway;

import com.ctc.wstx.api.WstxOutputProperties;
import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** The rule of the transformation: one JSON value becomes one XML document (SPEC.md, TR-6 on). */
final class Conversion {

    private static final String ATTRIBUTE = "@";
    private static final String TEXT = "#content";
    private static final String ENTRY = "item";
    private static final String ROOT = "root";

    private static final WstxOutputFactory WRITERS = new WstxOutputFactory();

    static {
        WRITERS.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_NAMES, true);
        WRITERS.setProperty(WstxOutputProperties.P_OUTPUT_VALIDATE_ATTR, true);
    }

    /** The request cannot be a document; the message says why. */
    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;

        Refused(String message) {
            super(message);
        }

        Refused(String message, Exception cause) {
            super(message, cause);
        }
    }

    private final XMLStreamWriter writer;

    private Conversion(XMLStreamWriter writer) {
        this.writer = writer;
    }

    /** Converts a JSON text in UTF-8 to an XML document in UTF-8. */
    static byte[] convert(ByteBuffer json) throws Refused {
        // The tags make it longer than the JSON text.
        var document = new ByteArrayOutputStream(2 * json.remaining());
        try {
            Json value = Json.read(json);
            XMLStreamWriter writer =
                    WRITERS.createXMLStreamWriter(document, StandardCharsets.UTF_8.name());
            new Conversion(writer).writeDocument(value);
            writer.close();
        } catch (Json.Malformed e) {
            throw new Refused(e.getMessage(), e);
        } catch (XMLStreamException | IllegalArgumentException e) {
            throw new Refused("no XML document", e);
        }
        return document.toByteArray();
    }

    private void writeDocument(Json value) throws XMLStreamException, Refused {
        if (value instanceof Json.Scalar) {
            throw new Refused("neither an object nor an array");
        }
        if (value instanceof Json.Members members) {
            if (members.list().isEmpty()) {
                throw new Refused("an empty object");
            }
            Json.Member first = members.list().get(0);
            if (members.list().size() == 1 && isDocument(first)) {
                writeElement(name(first), first.value(), Namespaces.NONE);
                return;
            }
        }
        writeElement(ROOT, value, Namespaces.NONE);
    }

    /** Whether a single member is the document by itself. */
    private static boolean isDocument(Json.Member member) {
        return isElement(name(member)) && !(member.value() instanceof Json.Entries);
    }

    /** The key without the spaces around it: none but U+0020, so that others stay what they are. */
    private static String name(Json.Member member) {
        String key = member.key();
        int start = 0;
        int end = key.length();
        while (start < end && key.charAt(start) == ' ') {
            start++;
        }
        while (start < end && key.charAt(end - 1) == ' ') {
            end--;
        }
        return key.substring(start, end);
    }

    private static boolean isElement(String key) {
        return !key.startsWith(ATTRIBUTE) && !key.equals(TEXT);
    }

    private void writeElement(String name, Json value, Namespaces outer)
            throws XMLStreamException, Refused {
        List<Json.Member> members =
                value instanceof Json.Members object ? object.list() : List.of();
        Namespaces namespaces = declared(members, outer);
        XmlName parts = XmlName.of(name);
        writer.writeStartElement(parts.prefix(), parts.local(), namespaces.ofElement(parts));
        if (namespaces != outer) {
            writeDeclarations(namespaces);
        }
        for (Json.Member member : members) {
            writeAttribute(member, namespaces);
        }
        if (value instanceof Json.Members) {
            for (Json.Member member : members) {
                writeContent(member, namespaces);
            }
        } else if (value instanceof Json.Entries entries) {
            writeEntries(ENTRY, entries, namespaces);
        } else {
            writeText(scalar(value));
        }
        writer.writeEndElement();
    }

    private void writeDeclarations(Namespaces namespaces) throws XMLStreamException {
        for (var declaration : namespaces.own().entrySet()) {
            if (declaration.getKey().isEmpty()) {
                writer.writeDefaultNamespace(declaration.getValue());
            } else {
                writer.writeNamespace(declaration.getKey(), declaration.getValue());
            }
        }
    }

    /** The namespaces in the element with these members: the outer ones where it declares none. */
    private static Namespaces declared(List<Json.Member> members, Namespaces outer) throws Refused {
        Namespaces namespaces = outer;
        for (Json.Member member : members) {
            String key = name(member);
            if (key.startsWith(ATTRIBUTE)) {
                XmlName name = XmlName.of(key.substring(ATTRIBUTE.length()));
                if (name.isDeclaration()) {
                    namespaces = namespaces == outer ? outer.inner() : namespaces;
                    namespaces.declare(name, checked(scalar(member.value())));
                }
            }
        }
        return namespaces;
    }

    private void writeAttribute(Json.Member member, Namespaces namespaces)
            throws XMLStreamException, Refused {
        String key = name(member);
        if (!key.startsWith(ATTRIBUTE)) {
            return;
        }
        XmlName name = XmlName.of(key.substring(ATTRIBUTE.length()));
        if (!name.isDeclaration()) {
            writer.writeAttribute(
                    name.prefix(),
                    namespaces.ofAttribute(name),
                    name.local(),
                    checked(scalar(member.value())));
        }
    }

    private void writeContent(Json.Member member, Namespaces namespaces)
            throws XMLStreamException, Refused {
        String key = name(member);
        if (key.equals(TEXT)) {
            writeText(scalar(member.value()));
        } else if (isElement(key)) {
            if (member.value() instanceof Json.Entries entries) {
                writeEntries(key, entries, namespaces);
            } else {
                writeElement(key, member.value(), namespaces);
            }
        }
    }

    private void writeEntries(String name, Json.Entries entries, Namespaces namespaces)
            throws XMLStreamException, Refused {
        for (Json entry : entries.list()) {
            writeElement(name, entry, namespaces);
        }
    }

    private void writeText(String text) throws XMLStreamException, Refused {
        if (!text.isEmpty()) {
            writer.writeCharacters(checked(text));
        }
    }

    private static String scalar(Json value) throws Refused {
        if (value instanceof Json.Scalar scalar) {
            return scalar.text();
        }
        throw new Refused("an object or an array where text belongs");
    }

    /** The characters of XML 1.0 (section 2.2), which the writer does not know all of. */
    private static String checked(String text) throws Refused {
        for (int at = 0; at < text.length(); ) {
            int character = text.codePointAt(at);
            boolean isAllowed =
                    character >= 0x20 && character <= 0xD7FF
                            || character == '\t'
                            || character == '\n'
                            || character == '\r'
                            || character >= 0xE000 && character <= 0xFFFD
                            || character >= 0x10000;
            if (!isAllowed) {
                throw new Refused("a character that XML does not have");
            }
            at += Character.charCount(character);
        }
        return text;
    }
}
