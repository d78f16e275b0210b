package main

import (
	"strings"
	"testing"
)

func TestJSONBecomesADocument(t *testing.T) {
	for _, c := range []struct{ json, document string }{
		{
			`{"size":"50B","payload":["a","b"]}`,
			`<root><size>50B</size><payload>a</payload><payload>b</payload></root>`,
		},
		{`{"b":{"d":null,"c":true,"a":-1.50e2}}`, `<b><d></d><c>true</c><a>-1.50e2</a></b>`},
		{`{" a ":{}}`, `<a></a>`},
		{`{"a":[]}`, `<root></root>`},
		{
			`[1,[2,[3]]]`,
			`<root><item>1</item><item><item>2</item><item><item>3</item></item></item></root>`,
		},
		{`{"a":[[1],2]}`, `<root><a><item>1</item></a><a>2</a></root>`},
		{`{"a":{"b":1,"@c":"2","#content":"d"}}`, `<a c="2"><b>1</b>d</a>`},
		{`{"@a":null}`, `<root a=""></root>`},
		{`{"#content":"a"}`, `<root>a</root>`},
		{`{"@a":"<&\r\n\t\""}`, `<root a="&lt;&amp;&#xD;&#xA;&#x9;&#34;"></root>`},
		{`{"a":"<&>\r\n\t]]>"}`, "<a>&lt;&amp;&gt;&#xD;\n&#x9;]]&gt;</a>"},
		{`{"a":"\ud83d\ude00 \\ud800 \ufffd"}`, "<a>\U0001F600 \\ud800 \uFFFD</a>"},
		{`{"p:a":1,"@xmlns:p":"urn:a"}`, `<root xmlns:p="urn:a"><p:a>1</p:a></root>`},
		{
			`{"p:a":{"@xmlns:p":"urn:a","@xml:lang":"en"}}`,
			`<p:a xmlns:p="urn:a" xml:lang="en"></p:a>`,
		},
		{`{"@xmlns":"urn:a","é·":0}`, `<root xmlns="urn:a"><é·>0</é·></root>`},
	} {
		document, err := convert([]byte(c.json))
		if err != nil || string(document) != c.document {
			t.Errorf("%s became %s, %v", c.json, document, err)
		}
	}
}

func TestWhatMakesNoDocumentIsRefused(t *testing.T) {
	for _, json := range []string{
		``, `{`, `[1,]`, `{} {}`, `NaN`, "\ufeff{}", "{\"a\":\"\xff\"}",
		`1`, `null`, `"a"`, `{}`,
		`{"":1}`, `{"a b":1}`, `{"1":1}`, `{"·a":1}`, `{"a:b:c":1}`, `{":a":1}`, `{"a:":1}`, `{"@":1}`,
		`{"@a":{}}`, `{"a":{"#content":[]}}`,
		`{"a":"\u0000"}`, `{"@a":"\uffff"}`, `{"a":"\ud800"}`, `{"a":"\udc00\ud800"}`, `{"a":"\ud800\\"}`,
		`{"p:a":1}`, `{"@p:a":1}`, `{"@xmlns:p":""}`, `{"@xmlns:xmlns":"urn:a"}`, `{"@xmlns:xml":"urn:a"}`,
		`{"@a":1,"@a ":2}`, `{"@xmlns:p":"urn:a","@xmlns:q":"urn:a","@p:a":1,"@q:a":2}`,
		strings.Repeat("[", 1<<19) + strings.Repeat("]", 1<<19),
	} {
		document, err := convert([]byte(json))
		if err == nil {
			t.Errorf("%.60s became %.60s", json, document)
		} else if len(err.Error()) > 100 {
			t.Errorf("%.60s is refused by %d bytes", json, len(err.Error()))
		}
	}
}

func TestAHundredLevelsAreConverted(t *testing.T) {
	document, err := convert([]byte(strings.Repeat(`{"a":`, 100) + "1" + strings.Repeat("}", 100)))
	if want := strings.Repeat("<a>", 100) + "1" + strings.Repeat("</a>", 100); string(document) != want {
		t.Errorf("became %s, %v", document, err)
	}
}
