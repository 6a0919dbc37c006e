//! Compares our tokens with those of html5gum, which passes the tests of the standard.

use std::convert::Infallible;

use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span as Ignored, Tokenizer};
use proptest::prelude::*;

use super::decode::{DecodedText, ReferencePlace};
use super::name::{HtmlName, LowerName};
use super::token::{Attribute, HtmlToken, RawElement, Tokens};
use super::words;
use crate::span::Span;

/// A decoded token; adjacent texts are merged.
#[derive(Clone, Debug, PartialEq, Eq)]
enum PlainToken {
    Text(String),
    Start(String, Vec<(String, String)>),
    End(String),
    Comment(String),
    Doctype,
}

fn push_text(tokens: &mut Vec<PlainToken>, more: &str) {
    match tokens.last_mut() {
        Some(PlainToken::Text(text)) => text.push_str(more),
        _ => tokens.push(PlainToken::Text(more.to_owned())),
    }
}

fn ours(source: &str) -> Vec<PlainToken> {
    let bytes = source.as_bytes();
    let slice = |span: Span| &bytes[span.range()];
    let text = |span: Span| String::from_utf8_lossy(slice(span)).into_owned();
    let decode = |span: Span, place| {
        let mut decoded = DecodedText::default();
        decoded.decode(slice(span), span.start(), place);
        String::from_utf8_lossy(&decoded.text).into_owned()
    };
    let (mut found, mut tokens, mut name) = (Vec::new(), Tokens::new(bytes), LowerName::default());
    let mut lower = |it: HtmlName| name.lower(it, slice(it.span)).to_owned();
    while let Some(token) = tokens.next() {
        for Attribute { value, is_words, .. } in tokens.attributes() {
            assert_eq!(*is_words, words::is_words(slice(*value)), "{source}");
        }
        match token {
            HtmlToken::Words(span) => {
                assert!(words::is_words(slice(span)), "{source}");
                push_text(&mut found, &text(span));
            }
            HtmlToken::Text { text, .. } => {
                push_text(&mut found, &decode(text, ReferencePlace::Text))
            }
            HtmlToken::Raw { raw, text: span, .. } => match raw {
                RawElement::Escapable => push_text(&mut found, &decode(span, ReferencePlace::Text)),
                _ => push_text(&mut found, &text(span)),
            },
            HtmlToken::Cdata(span) => push_text(&mut found, &text(span)),
            HtmlToken::Start { name, .. } => {
                let element = lower(name);
                let mut pair =
                    |a: &Attribute| (lower(a.name), decode(a.value, ReferencePlace::Attribute));
                let attributes = tokens.attributes().iter().map(&mut pair).collect();
                found.push(PlainToken::Start(element, attributes));
            }
            HtmlToken::End { name, .. } => found.push(PlainToken::End(lower(name))),
            HtmlToken::Comment(span) | HtmlToken::Declaration(span) => {
                found.push(PlainToken::Comment(text(span)));
            }
            // html5gum includes the question mark in a bogus comment.
            HtmlToken::Instruction(span) => {
                let span = Span::new(span.start() - 1, span.end());
                found.push(PlainToken::Comment(text(span)));
            }
            HtmlToken::Doctype(_) => found.push(PlainToken::Doctype),
            HtmlToken::Unfinished(_) => {}
        }
    }
    found
}

fn theirs(source: &str) -> Vec<PlainToken> {
    let (mut found, mut open) = (Vec::new(), (String::new(), Vec::new()));
    let owned = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Ignored<()>| {
        match event {
            CallbackEvent::OpenStartTag { name } => open = (owned(name), Vec::new()),
            CallbackEvent::AttributeName { name } => open.1.push((owned(name), String::new())),
            CallbackEvent::AttributeValue { value } => {
                if let Some((_, last)) = open.1.last_mut() {
                    *last = owned(value);
                }
            }
            CallbackEvent::CloseStartTag { .. } => {
                found.push(PlainToken::Start(open.0.clone(), open.1.clone()));
            }
            CallbackEvent::EndTag { name } => found.push(PlainToken::End(owned(name))),
            CallbackEvent::String { value } => push_text(&mut found, &owned(value)),
            CallbackEvent::Comment { value } => found.push(PlainToken::Comment(owned(value))),
            CallbackEvent::Doctype { .. } => found.push(PlainToken::Doctype),
            CallbackEvent::Error(_) => {}
        }
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    Tokenizer::new_with_emitter(source, emitter).finish().expect("no reader fails");
    found
}

/// Pieces of a document without content that we read differently on purpose: `noscript`, SVG, XML.
const PIECES: &str = "<a href=\"|<p class=|<b |<|>|</|</p>|</a x=y>|/>|<br/>|\"|'|=| |\n|/|!|-|--|<!--|-->|--!>|<!-->|\
    <!-|<script>|</script>|<script|</script |<style>|</style>|<title>|</title>|<textarea a>|</TextArea>|<xmp>|</xmp>|\
    <iframe>|</iframe>|<!DOCTYPE html>|<!doctype|<?php ?>|<!x|<![CDATA[|]]>|</>|</ x>|&amp;|&amp|&copy=|&notit;|\
    &notin;|&#x2f;|&#47|&#x|&#0;|&#150;|&nosuch;|&|;|a|x=1|é|中|A|0|http://a.example/?b=c&amp;d|<html>|<P ID=x>";

fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(PIECES.split('|').collect::<Vec<_>>())
}

/// Removes an unfinished comment or tag, and classes of words, which differ by design.
fn settled(mut tokens: Vec<PlainToken>) -> Vec<PlainToken> {
    if let Some(PlainToken::Comment(_) | PlainToken::Doctype) = tokens.last() {
        tokens.pop();
    }
    for token in &mut tokens {
        if let PlainToken::Start(_, attributes) = token {
            attributes
                .retain(|(name, value)| name != "class" || !words::is_words(value.as_bytes()));
        }
    }
    tokens
}

#[test]
fn a_class_of_words_is_passed_over() {
    let names = |source: &str| match ours(source).remove(0) {
        PlainToken::Start(_, attributes) => {
            attributes.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(names("<p id=a class=\"b c\" title=d>"), ["id", "title"]);
    assert_eq!(names("<p class=\"\"id=a>"), ["id"]);
    assert_eq!(names("<p class=\"http://a.example/\">"), ["class"]);
    assert_eq!(names("<p classes=\"a\">"), ["classes"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    #[test]
    fn as_html5gum(pieces in prop::collection::vec(piece(), 0..24)) {
        let source = pieces.concat();
        let (ours, theirs) = (settled(ours(&source)), settled(theirs(&source)));
        prop_assert_eq!(ours, theirs, "{}", source);
    }
}
