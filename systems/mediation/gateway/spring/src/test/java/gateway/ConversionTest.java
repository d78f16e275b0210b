package gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

class ConversionTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"size\":\"50B\",\"payload\":[\"01\",\"AB\"]}"
                        + "|<root><size>50B</size><payload>01</payload><payload>AB</payload></root>",
                "{\"a\":{\"b\":1,\" c \":2}} |<a><b>1</b><c>2</c></a>",
                "{\"a\":null}                |<a/>",
                "{\"a\":[]}                  |<root/>",
                "{\"a\":[1]}                 |<root><a>1</a></root>",
                "{\"a\":[[1,2],3,[]]}        |"
                        + "<root><a><item>1</item><item>2</item></a><a>3</a><a/></root>",
                "[1,[2],{\"a\":true}]        |"
                        + "<root><item>1</item><item><item>2</item></item><item><a>true</a></item></root>",
                "[]                          |<root/>",
                "{\"@a\":\"b\"}              |<root a=`b`/>",
                "{\"#content\":\"b\"}        |<root>b</root>",
                "{\"a\":{\"b\":1,\"#content\":\"t\",\"c\":2,\"@d\":null}}|"
                        + "<a d=``><b>1</b>t<c>2</c></a>",
                "{\"a\":\"<&>]]>\"}          |<a>&lt;&amp;>]]&gt;</a>",
                "{\"a\":[-7,23.56,0.00000000000001,-0,false]}|"
                        + "<root><a>-7</a><a>23.56</a><a>0.00000000000001</a><a>-0</a><a>false</a></root>",
                "{\"a\":{\"p:b\":{\"p:c\":1,\"@p:d\":2},\"@xmlns:p\":\"u\"}}|"
                        + "<a xmlns:p=`u`><p:b p:d=`2`><p:c>1</p:c></p:b></a>",
                "{\"a\":{\"b\":1,\"@xmlns\":\"u\"}}|<a xmlns=`u`><b>1</b></a>",
                "{\"a\":{\"@xml:lang\":\"en\"}}|<a xml:lang=`en`/>",
            })
    void aValueBecomesADocument(String json, String xml) throws Exception {
        assertEquals(xml.replace('`', '"'), convert(json));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\":1}x",
                "{\"a\":1} {}",
                "{\"a\":01}",
                "{\"a\":NaN}",
                "{'a':1}",
                "{\"a\":1,}",
                "\"a\"",
                "1",
                "true",
                "null",
                "{}",
                "{\"\":1}",
                "{\" \":1}",
                "{\"a b\":1}",
                "{\"a\\n\":1}",
                "{\"\u00a0a\":1}",
                "{\"1\":1}",
                "{\"@\":1}",
                "{\"a:\":1}",
                "{\":a\":1}",
                "{\"a:b:c\":1}",
                "{\"p:a\":1,\"b\":2}",
                "{\"a\":{\"@p:b\":1}}",
                "{\"xmlns:a\":1,\"b\":1}",
                "{\"a\":{\"@b\":{}}}",
                "{\"a\":{\"@b\":[]}}",
                "{\"a\":{\"#content\":[1]}}",
                "{\"a\":{\"@b\":1,\" @b\":2}}",
                "{\"a\":{\"@xmlns:p\":\"\"}}",
                "{\"a\":{\"@xmlns:xml\":\"u\"}}",
                "{\"a\":{\"@xmlns:p\":\"u\",\"@xmlns:q\":\"u\",\"@p:b\":1,\"@q:b\":2}}",
                "{\"a\":\"\\u0000\"}",
                "{\"a\":\"\\u001f\"}",
                "{\"a\":\"\\ufffe\"}",
                "{\"a\":\"\\uffff\"}",
                "{\"a\":\"\\ud800\"}",
                "{\"a\":\"\\udc00b\"}",
                "{\"a\":{\"@b\":\"\\u0001\"}}",
                "{\"a\\u0000\":1}",
            })
    void whatMakesNoDocumentIsRefused(String json) {
        assertThrows(Conversion.Refused.class, () -> convert(json));
    }

    @Test
    void everyCharacterIsReadBack() throws Exception {
        String text = "\t\n\r <&>\"']]> \u0085\u2028\ud83d\ude00\ufffd";
        String escaped = "\\t\\n\\r <&>\\\"']]> \u0085\u2028\\ud83d\\ude00\ufffd";
        Element read =
                parse(
                        convert(
                                "{\"a\":{\"@b\":\""
                                        + escaped
                                        + "\",\"#content\":\""
                                        + escaped
                                        + "\"}}"));
        assertEquals(text, read.getTextContent());
        assertEquals(text, read.getAttribute("b"));
    }

    @Test
    void otherEncodingsThanUtf8AreRefused() {
        byte[] wide = "{\"a\":1}".getBytes(StandardCharsets.UTF_16LE);
        assertThrows(Conversion.Refused.class, () -> Conversion.convert(ByteBuffer.wrap(wide)));
        byte[] overlong = {'{', '"', 'a', '"', ':', '"', (byte) 0xC0, (byte) 0xAF, '"', '}'};
        assertThrows(Conversion.Refused.class, () -> Conversion.convert(ByteBuffer.wrap(overlong)));
    }

    @Test
    void levelsAreBounded() throws Exception {
        assertEquals(100, convert("[".repeat(100) + "]".repeat(100)).split("<item").length);
        assertThrows(Conversion.Refused.class, () -> convert("[".repeat(100_000)));
    }

    @Test
    void numbersAndNamesMayBeAsLongAsTheBody() throws Exception {
        String digits = "1".repeat(500_000);
        String name = "a".repeat(500_000);
        assertEquals(
                "<" + name + ">" + digits + "</" + name + ">",
                convert("{\"" + name + "\":" + digits + "}"));
    }

    private static String convert(String json) throws Conversion.Refused {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        return new String(Conversion.convert(ByteBuffer.wrap(bytes)), StandardCharsets.UTF_8);
    }

    private static Element parse(String xml) throws Exception {
        var source = new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(source)
                .getDocumentElement();
    }
}
