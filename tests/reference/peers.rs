//! fluent-uri and iri-string on the same strings.
