"""The XML of the editor's files: read and written again with the same bytes."""

from __future__ import annotations

import pytest

from overhaul.document.xmltext import XmlFile, XmlNode, read_xml, without_controls, write_xml
from overhaul.errors import EncodeError, FormatError

SMALL = (
    b'<?xml version="1.0" encoding="Windows-1252"?>\r\n'
    b"<!--DO NOT EDIT-->\r\n"
    b'<Root Version="1">\r\n'
    b'  <Name xml:space="preserve">a b</Name>\r\n'
    b"  <Empty />\r\n"
    b"  <Script><![CDATA[if (a < b)\r\nlone\nend]]></Script>\r\n"
    b'  <Text At="&quot;&amp;">caf\xe9 &lt;&amp;&gt; "&#x416;"</Text>\r\n'
    b"</Root>"
)


def test_a_file_comes_back_as_it_was() -> None:
    file = read_xml(SMALL)
    assert file.encoding == "Windows-1252"
    assert file.comments == ["DO NOT EDIT"]
    root = file.root
    assert root.attributes == {"Version": "1"}
    assert root.value("Name") == "a b"
    assert root.value("Script") == "if (a < b)\r\nlone\nend"
    assert root.value("Text") == 'café <&> "Ж"'
    assert root.find("Text/None") is None
    assert [node.tag for node in root.walk()] == ["Root", "Name", "Empty", "Script", "Text"]
    assert write_xml(file) == SMALL.replace(b"&#x416;", b"&#1046;")


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_ends_and_marks_are_kept(ending: bytes) -> None:
    data = (
        b'\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\n<A>\n  <B>\xc3\xa9</B>\n</A>' + ending
    )
    assert write_xml(read_xml(data)) == data


def test_what_other_programs_write_around_elements_is_kept() -> None:
    data = (
        b"<?xml version='1.0' encoding='utf-8'?>\n"
        b"<A>\n"
        b"    <B>\n"
        b"        <C>1</C>\n"
        b"          <D>\n"
        b"            <E />\n"
        b"        </D>\n"
        b"            </B>\n"
        b"    <F />\n"
        b"</A>"
    )
    file = read_xml(data)
    assert write_xml(file) == data
    assert file.indent == "    "
    found = file.root.find("B")
    assert found is not None and found.spaces == (" " * 8, " " * 10, " " * 12)
    found.children.pop()  # the spaces are those of other children
    assert write_xml(file).decode().split("\n")[2:5] == [
        "    <B>", "        <C>1</C>", "    </B>",
    ]  # fmt: skip
    windows = data.replace(b"\n", b"\r\n")
    assert write_xml(read_xml(windows)) == windows


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<A>", "broken XML at line 1, column 4"),
        (b"", "broken XML"),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "document type"),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', "unknown encoding 'klingon'"),
        (b'<?xml version="1.0" encoding="utf-8"?><a>\xff</a>', "not a text in utf-8"),
        (b"<a>text<b/></a>", "a has elements and a text"),
        (b"<a>" * 300 + b"</a>" * 300, "too many elements in each other"),
    ],
)
def test_what_is_no_such_file(data: bytes, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_xml(data)


def test_characters_that_xml_can_not_hold() -> None:
    root = XmlNode("A", children=[XmlNode("B", "a\x01b\udc81\n"), XmlNode("C", "c")])
    with pytest.raises(EncodeError, match=r"U\+0001"):
        write_xml(XmlFile(root))
    assert without_controls(root) == ["B"]
    assert root.value("B") == "ab\n"


def test_text_that_ends_cdata_is_escaped() -> None:
    root = XmlNode("A", children=[XmlNode("B", "a]]>b", cdata=True)])
    assert b"<B>a]]&gt;b</B>" in write_xml(XmlFile(root))
