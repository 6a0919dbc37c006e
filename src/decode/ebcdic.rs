//! EBCDIC: the charsets of mainframes, in which no letter has the same byte as in ASCII.

use std::str;

use crate::offset_map::{OffsetMap, Unit};
use crate::span::Span;

/// A code page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CodePage {
    /// Numbers and names in the registry of IANA, in lower case. Newer pages differ from older ones
    /// only in the euro sign.
    names: &'static str,
    /// The characters of the bytes from 0x40 to 0xFE.
    from_0x40: &'static str,
}

/// The code pages, made by `iconv` of glibc 2.39.
#[rustfmt::skip]
static PAGES: [CodePage; 16] = [
    CodePage { names: "037 1140 ebcdic-cp-us ebcdic-cp-ca ebcdic-cp-wt ebcdic-cp-nl ebcdic-us", from_0x40: " \u{a0}âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);¬-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®^£¥·©§¶¼½¾[]¯¨´×{ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "273 1141 ebcdic-cp-de ebcdic-de", from_0x40: " \u{a0}â{àáãåçñÄ.<(+!&éêëèíîïì~Ü$*);^-/Â[ÀÁÃÅÇÑö,%_>?øÉÊËÈÍÎÏÌ`:#§'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µßstuvwxyz¡¿ÐÝÞ®¢£¥·©@¶¼½¾¬|¯¨´×äABCDEFGHI\u{ad}ô¦òóõüJKLMNOPQR¹û}ùúÿÖ÷STUVWXYZ²Ô\\ÒÓÕ0123456789³Û]ÙÚ" },
    CodePage { names: "277 1142 ebcdic-cp-dk ebcdic-cp-no", from_0x40: " \u{a0}âäàáã}çñ#.<(+!&éêëèíîïìß¤Å*);^-/ÂÄÀÁÃ$ÇÑø,%_>?¦ÉÊËÈÍÎÏÌ`:ÆØ'=\"@abcdefghi«»ðýþ±°jklmnopqrªº{¸[]µüstuvwxyz¡¿ÐÝÞ®¢£¥·©§¶¼½¾¬|¯¨´×æABCDEFGHI\u{ad}ôöòóõåJKLMNOPQR¹û~ùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "278 1143 ebcdic-cp-fi ebcdic-cp-se", from_0x40: " \u{a0}â{àáã}çñ§.<(+!&`êëèíîïìß¤Å*);^-/Â#ÀÁÃ$ÇÑö,%_>?øÉÊËÈÍÎÏÌé:ÄÖ'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ]µüstuvwxyz¡¿ÐÝÞ®¢£¥·©[¶¼½¾¬|¯¨´×äABCDEFGHI\u{ad}ô¦òóõåJKLMNOPQR¹û~ùúÿ\\÷STUVWXYZ²Ô@ÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "280 1144 ebcdic-cp-it", from_0x40: " \u{a0}âä{áãå\\ñ°.<(+!&]êë}íîï~ßé$*);^-/ÂÄÀÁÃÅÇÑò,%_>?øÉÊËÈÍÎÏÌù:£§'=\"Øabcdefghi«»ðýþ±[jklmnopqrªºæ¸Æ¤µìstuvwxyz¡¿ÐÝÞ®¢#¥·©@¶¼½¾¬|¯¨´×àABCDEFGHI\u{ad}ôö¦óõèJKLMNOPQR¹ûü`úÿç÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "284 1145 ebcdic-cp-es", from_0x40: " \u{a0}âäàáãåç¦[.<(+|&éêëèíîïìß]$*);¬-/ÂÄÀÁÃÅÇ#ñ,%_>?øÉÊËÈÍÎÏÌ`:Ñ@'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ¨stuvwxyz¡¿ÐÝÞ®¢£¥·©§¶¼½¾^!¯~´×{ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "285 1146 ebcdic-cp-gb", from_0x40: " \u{a0}âäàáãåçñ$.<(+|&éêëèíîïìß!£*);¬-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ‾stuvwxyz¡¿ÐÝÞ®¢[¥·©§¶¼½¾^]~¨´×{ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "297 1147 ebcdic-cp-fr", from_0x40: " \u{a0}âä@áãå\\ñ°.<(+!&{êë}íîïìß§$*);^-/ÂÄÀÁÃÅÇÑù,%_>?øÉÊËÈÍÎÏÌµ:£à'=\"Øabcdefghi«»ðýþ±[jklmnopqrªºæ¸Æ¤`¨stuvwxyz¡¿ÐÝÞ®¢#¥·©]¶¼½¾¬|¯~´×éABCDEFGHI\u{ad}ôöòóõèJKLMNOPQR¹ûü¦úÿç÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "424 ebcdic-cp-he", from_0x40: " \u{5d0}\u{5d1}\u{5d2}\u{5d3}\u{5d4}\u{5d5}\u{5d6}\u{5d7}\u{5d8}¢.<(+|&\u{5d9}\u{5da}\u{5db}\u{5dc}\u{5dd}\u{5de}\u{5df}\u{5e0}\u{5e1}!$*);¬-/\u{5e2}\u{5e3}\u{5e4}\u{5e5}\u{5e6}\u{5e7}\u{5e8}\u{5e9}¦,%_>?�\u{5ea}��\u{a0}���⇔`:#@'=\"�abcdefghi«»����°jklmnopqr���¸�¤µ~stuvwxyz�����®^£¥·©§¶¼½¾[]¯¨´×{ABCDEFGHI\u{ad}�����}JKLMNOPQR¹�����\\÷STUVWXYZ²�����0123456789³����" },
    CodePage { names: "500 1148 ebcdic-cp-be ebcdic-cp-ch", from_0x40: " \u{a0}âäàáãåçñ[.<(+!&éêëèíîïìß]$*);^-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿ÐÝÞ®¢£¥·©§¶¼½¾¬|¯¨´×{ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "870 ebcdic-cp-roece ebcdic-cp-yu", from_0x40: " \u{a0}âäţáăčçć[.<(+!&éęëůíîľĺß]$*);^-/ÂÄ˝ÁĂČÇĆ|,%_>?ˇÉĘËŮÍÎĽĹ`:#@'=\"˘abcdefghiśňđýřş°jklmnopqrłńš¸˛¤ą~stuvwxyzŚŇĐÝŘŞ·ĄżŢŻ§žźŽŹŁŃŠ¨´×{ABCDEFGHI\u{ad}ôöŕóő}JKLMNOPQRĚűüťúě\\÷STUVWXYZďÔÖŔÓŐ0123456789ĎŰÜŤÚ" },
    CodePage { names: "871 1149 ebcdic-cp-is", from_0x40: " \u{a0}âäàáãåçñþ.<(+!&éêëèíîïìßÆ$*);Ö-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌð:#Ð'=\"Øabcdefghi«»`ý{±°jklmnopqrªº}¸]¤µöstuvwxyz¡¿@Ý[®¢£¥·©§¶¼½¾¬|¯¨\\×ÞABCDEFGHI\u{ad}ô~òóõæJKLMNOPQR¹ûüùúÿ´÷STUVWXYZ²Ô^ÒÓÕ0123456789³ÛÜÙÚ" },
    CodePage { names: "875 ebcdic-greek", from_0x40: " ΑΒΓΔΕΖΗΘΙ[.<(+!&ΚΛΜΝΞΟΠΡΣ]$*);^-/ΤΥΦΧΨΩΪΫ�,%_>?¨ΆΈΉ∇ΊΌΎΏ`:#@'=\"΅abcdefghiαβγδεζ°jklmnopqrηθικλμ´~stuvwxyzνξοπρσ£άέήϊίόύϋώςτυφχψ{ABCDEFGHI\u{ad}ωΐΰ‘―}JKLMNOPQR±½�·’¦\\�STUVWXYZ²§��«¬0123456789³©��»" },
    CodePage { names: "1025 ebcdic-cyrillic", from_0x40: " \u{a0}ђѓёєѕіїј[.<(+!&љњћќўџЪ№Ђ]$*);^-/ЃЁЄЅІЇЈЉ|,%_>?ЊЋЌ\u{ad}ЎЏюаб`:#@'=\"цabcdefghiдефгхийjklmnopqrклмнопя~stuvwxyzрстужвьызшэщчъЮАБЦДЕФГ{ABCDEFGHIХИЙКЛМ}JKLMNOPQRНОПЯРС\\§STUVWXYZТУЖВЬЫ0123456789ЗШЭЩЧ" },
    CodePage { names: "1026 ebcdic-cp-tr", from_0x40: " \u{a0}âäàáãå{ñÇ.<(+!&éêëèíîïìßĞİ*);^-/ÂÄÀÁÃÅ[Ñş,%_>?øÉÊËÈÍÎÏÌı:ÖŞ'=ÜØabcdefghi«»}`¦±°jklmnopqrªºæ˛Æ¤µöstuvwxyz¡¿]$@®¢£¥·©§¶¼½¾¬|—¨´×çABCDEFGHI\u{ad}ô~òóõğJKLMNOPQR¹û\\ùúÿü÷STUVWXYZ²Ô#ÒÓÕ0123456789³Û\"ÙÚ" },
    CodePage { names: "1047", from_0x40: " \u{a0}âäàáãåçñ¢.<(+|&éêëèíîïìß!$*);^-/ÂÄÀÁÃÅÇÑ¦,%_>?øÉÊËÈÍÎÏÌ`:#@'=\"Øabcdefghi«»ðýþ±°jklmnopqrªºæ¸Æ¤µ~stuvwxyz¡¿Ð[Þ®¬£¥·©§¶¼½¾Ý¨¯]´×{ABCDEFGHI\u{ad}ôöòóõ}JKLMNOPQR¹ûüùúÿ\\÷STUVWXYZ²ÔÖÒÓÕ0123456789³ÛÜÙÚ" },
];

/// The controls from 0x00 to 0x3F, which all code pages have (IBM CDRA, appendix G). Lines end with
/// 0x15 or 0x25.
#[rustfmt::skip]
const CONTROLS: [u8; 64] = [
    0x00, 0x01, 0x02, 0x03, 0x9c, b'\t', 0x86, 0x7f, 0x97, 0x8d, 0x8e, 0x0b, 0x0c, b'\r', 0x0e, 0x0f,
    0x10, 0x11, 0x12, 0x13, 0x9d, b'\n', 0x08, 0x87, 0x18, 0x19, 0x92, 0x8f, 0x1c, 0x1d, 0x1e, 0x1f,
    0x80, 0x81, 0x82, 0x83, 0x84, b'\n', 0x17, 0x1b, 0x88, 0x89, 0x8a, 0x8b, 0x8c, 0x05, 0x06, 0x07,
    0x90, 0x91, 0x16, 0x93, 0x94, 0x95, 0x96, 0x04, 0x98, 0x99, 0x9a, 0x9b, 0x14, 0x15, 0x9e, 0x1a,
];

impl CodePage {
    /// Returns the code page of a label in lower case: `cp037`, `ibm-1047`, `ebcdic-cp-us`.
    pub fn for_label(label: &[u8]) -> Option<&'static Self> {
        let label = str::from_utf8(label).ok()?;
        // IANA gives each charset a second name that starts with these letters, such as `csIBM037`
        // (RFC 2978 §2.3).
        let label = label.strip_prefix("cs").unwrap_or(label);
        let number = ["x-ibm", "ibm", "ccsid", "cp"].iter().find_map(|it| label.strip_prefix(it));
        let number = number.map(|it| it.trim_start_matches(['-', '_', '0']));
        let is = |name: &str| name == label || number == Some(name.trim_start_matches('0'));
        PAGES.iter().find(|page| page.names.split(' ').any(is))
    }

    /// Appends the text of `source` to `text`, and the position of each byte to `map`.
    pub fn decode(&self, source: &[u8], text: &mut Vec<u8>, map: &mut OffsetMap) {
        let mut table = CONTROLS.map(char::from).to_vec();
        table.extend(self.from_0x40.chars().chain(['\u{9f}']));
        for (at, byte) in source.iter().enumerate() {
            let char = table.get(usize::from(*byte)).copied();
            let mut utf8 = [0; 4];
            let encoded = char.unwrap_or(char::REPLACEMENT_CHARACTER).encode_utf8(&mut utf8);
            text.extend_from_slice(encoded.as_bytes());
            match encoded.len() {
                1 => map.copy(1, at),
                length => {
                    let unit = Unit { text: length as u8, source: 1 };
                    map.units(length, Span::new(at, at + 1), unit);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(label: &[u8], source: &[u8]) -> String {
        let (mut text, mut map) = (Vec::new(), OffsetMap::new());
        CodePage::for_label(label).unwrap().decode(source, &mut text, &mut map);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn each_page_has_a_character_for_each_byte() {
        for page in &PAGES {
            assert_eq!(page.from_0x40.chars().count(), 0xff - 0x40, "{}", page.names);
        }
    }

    /// As `iconv` encodes it.
    #[test]
    fn a_uri_has_the_bytes_of_its_page() {
        let uri = b"\x88\xa3\xa3\x97\x7a\x61\x61\x81\x4b\x85\xa7\x81\x94\x97\x93\x85\x61";
        for page in PAGES.iter().filter(|page| !page.names.starts_with("1026")) {
            let label = format!("cp{}", page.names.split(' ').next().unwrap());
            assert_eq!(decoded(label.as_bytes(), uri), "http://a.example/", "{label}");
        }
        assert_eq!(decoded(b"ibm-1047", b"\xad\xbd\x15\x25"), "[]\n\n");
        assert_eq!(decoded(b"cp500", b"\x4a\x5a\xb0"), "[]¢");
        assert_eq!(decoded(b"ibm00037", b"\xba\xbb"), "[]");
        assert_eq!(decoded(b"ebcdic-cp-de", b"\x43\xfc\xdc"), "{]}");
    }

    #[test]
    fn labels_have_many_forms() {
        for label in ["cp037", "ibm037", "csibm037", "ibm-37", "ebcdic-cp-us", "cp1140", "ibm01140"]
        {
            assert_eq!(CodePage::for_label(label.as_bytes()), Some(&PAGES[0]), "{label}");
        }
        for label in ["", "cp", "cp0", "cp1252", "ibm866", "cp930"] {
            assert_eq!(CodePage::for_label(label.as_bytes()), None, "{label}");
        }
    }
}
