//! What redirectors lead to (corpus/redirect).

use crate::tsv::check_vectors;
use proptest::prelude::*;
use urigrep::options::Unwrap;
use urigrep::redirect::unwrap;
use urigrep::{Finder, Flag, Uri};

#[test]
fn vectors() {
    check_vectors("redirect/unwrap.tsv", 4, 2, |text| {
        let uri = Uri::parse(text).expect("a vector is a URI");
        let inner = unwrap(uri);
        let finder = Finder::builder().unwrap(Unwrap::Redirectors).build();
        let line = format!("see <{text}>, please");
        let m = finder.find(line.as_bytes()).expect("a match");
        assert_eq!(m.as_bytes(), text.as_bytes(), "what stands there stays");
        assert_eq!(m.flags().contains(Flag::Unwrapped), inner.is_some());
        assert_eq!(m.uri(), inner.as_deref().unwrap_or(text));
        inner.unwrap_or_else(|| "none".to_owned())
    });
}

proptest! {
    #[test]
    fn what_comes_out_is_a_uri(
        head in prop::sample::select(vec![
            "https://urldefense.com/v3/__",
            "https://urldefense.proofpoint.com/v2/url?u=",
            "https://nam02.safelinks.protection.outlook.com/?url=",
            "https://www.google.com/url?q=",
            "https://secure-web.cisco.com/1/",
        ]),
        tail in "(https?(://|-3A__|%3A%2F%2F))?[a-z*%0-9A-F_/;!.=&-]{0,40}",
    ) {
        let text = format!("{head}{tail}");
        if let Ok(uri) = Uri::parse(&text)
            && let Some(inner) = unwrap(uri)
        {
            prop_assert!(Uri::parse(&inner).is_ok_and(|inner| inner.authority().is_some()), "{}", inner);
        }
    }
}
