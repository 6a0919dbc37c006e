//! The declaration of every field: its name, its place in JSON, and its type.

/// The object of the JSON output that holds a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JsonPlace {
    /// A member of the object of the hit.
    Hit(&'static str),
    /// A member of `components`.
    Components(&'static str),
    /// A member of `urn`.
    Urn(&'static str),
    /// A member of `mail`.
    Mail(&'static str),
    /// Not part of the JSON output.
    Absent,
}

#[cfg(feature = "serde")]
impl JsonPlace {
    /// Its name in that object.
    pub(crate) const fn member(self) -> Option<&'static str> {
        match self {
            Self::Hit(name) | Self::Components(name) | Self::Urn(name) | Self::Mail(name) => {
                Some(name)
            }
            Self::Absent => None,
        }
    }
}

macro_rules! hit_fields {
    ($($(#[doc = $doc:literal])+ $Field:ident = $name:literal, $place:expr;)+) => {
        /// A field of a hit. The order is that of the members of JSON.
        ///
        /// ```
        /// use urigrep::search::HitField;
        /// let field = HitField::named("host").unwrap();
        /// assert_eq!(field.name(), "host");
        /// assert!(HitField::ALL.contains(&field));
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum HitField { $($(#[doc = $doc])+ $Field,)+ }

        impl HitField {
            /// All fields.
            pub const ALL: &'static [Self] = &[$(Self::$Field,)+];

            /// The field of this name.
            pub fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$Field),)+
                    _ => None,
                }
            }

            /// Its name in templates, and as a column.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Field => $name,)+
                }
            }

            /// Its place in JSON.
            pub const fn json(self) -> JsonPlace {
                match self {
                    $(Self::$Field => $place,)+
                }
            }

            /// Its meaning, in one sentence.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$Field => concat!($($doc),+).trim_ascii(),)+
                }
            }
        }
    };
}

hit_fields! {
    /// The path of the file.
    Path = "path", JsonPlace::Hit("path");
    /// The line it starts in, from 1.
    Line = "line", JsonPlace::Hit("line");
    /// The column it starts at, in bytes, from 1.
    Column = "column", JsonPlace::Hit("column");
    /// The offset of its first byte, from 0.
    Start = "start", JsonPlace::Hit("start");
    /// The offset after its last byte.
    End = "end", JsonPlace::Hit("end");
    /// The text as it is in the input, after decoding.
    Text = "text", JsonPlace::Hit("text");
    /// The URI or relative reference.
    Uri = "uri", JsonPlace::Hit("uri");
    /// The IRI, if it is one.
    Iri = "iri", JsonPlace::Hit("iri");
    /// The scheme in lower case.
    Scheme = "scheme", JsonPlace::Hit("scheme");
    /// The kind of match.
    Kind = "kind", JsonPlace::Hit("kind");
    /// The delimiters around it.
    Wrapper = "wrapper", JsonPlace::Hit("wrapper");
    /// Remarks and warnings about it.
    Flags = "flags", JsonPlace::Hit("flags");
    /// The ranges of the input that make it up, if there are several.
    Ranges = "ranges", JsonPlace::Hit("ranges");
    /// Another reading of where it ends.
    Alternative = "alternative", JsonPlace::Hit("alternative");
    /// The normal form.
    Normalized = "normalized", JsonPlace::Hit("normalized");
    /// The URI as people read it.
    Readable = "readable", JsonPlace::Absent;
    /// The DOI, ISBN, or the like that it identifies, in one spelling.
    Identifier = "identifier", JsonPlace::Hit("identifier");
    /// The userinfo.
    Userinfo = "userinfo", JsonPlace::Components("userinfo");
    /// The host.
    Host = "host", JsonPlace::Components("host");
    /// The type of the host.
    HostType = "host_type", JsonPlace::Components("host_type");
    /// The address that a host in a rare form means.
    HostAddress = "host_address", JsonPlace::Components("host_address");
    /// The port.
    Port = "port", JsonPlace::Components("port");
    /// The path of the URI.
    UriPath = "uri.path", JsonPlace::Components("path");
    /// The query.
    Query = "query", JsonPlace::Components("query");
    /// The fragment.
    Fragment = "fragment", JsonPlace::Components("fragment");
    /// The namespace identifier of a URN.
    Nid = "nid", JsonPlace::Urn("nid");
    /// The namespace-specific string of a URN.
    Nss = "nss", JsonPlace::Urn("nss");
    /// The r-component of a URN.
    RComponent = "r_component", JsonPlace::Urn("r");
    /// The q-component of a URN.
    QComponent = "q_component", JsonPlace::Urn("q");
    /// The f-component of a URN.
    FComponent = "f_component", JsonPlace::Urn("f");
    /// The assigned-name of a URN.
    AssignedName = "assigned_name", JsonPlace::Urn("assigned_name");
    /// The class of the namespace of a URN.
    Namespace = "namespace", JsonPlace::Urn("namespace");
    /// Why the namespace of a URN does not allow it.
    Fault = "fault", JsonPlace::Urn("fault");
    /// Why a candidate was rejected.
    Reason = "reason", JsonPlace::Hit("reason");
    /// The offset in the text at which a candidate fails.
    At = "at", JsonPlace::Hit("at");
    /// The format of the document.
    Format = "format", JsonPlace::Hit("format");
    /// The place in the document: a page, a cell, a column.
    Place = "place", JsonPlace::Hit("place");
    /// The text of the link.
    Label = "label", JsonPlace::Hit("label");
    /// The role of the part of a document.
    Role = "role", JsonPlace::Hit("role");
    /// The element that the part belongs to.
    Element = "element", JsonPlace::Hit("element");
    /// The attribute whose value the part is.
    Attribute = "attribute", JsonPlace::Hit("attribute");
    /// The Message-ID of the message.
    MessageId = "message_id", JsonPlace::Mail("message_id");
    /// The date of the message.
    Date = "date", JsonPlace::Mail("date");
    /// The sender of the message.
    From = "from", JsonPlace::Mail("from");
    /// The subject of the message.
    Subject = "subject", JsonPlace::Mail("subject");
    /// The numbers of the parts of the message that hold it.
    Parts = "parts", JsonPlace::Mail("parts");
    /// The header field of the message.
    Header = "header", JsonPlace::Mail("header");
    /// The place in a compressed file or archive.
    Stream = "stream", JsonPlace::Hit("stream");
    /// The path as a search prints it, with the members of archives: `a.zip!/b.txt`.
    ShownPath = "shown_path", JsonPlace::Absent;
}

/// Returns the fields in order, cut where another object of the JSON starts.
#[cfg(feature = "serde")]
pub(crate) fn field_groups() -> impl Iterator<Item = &'static [HitField]> {
    let object = |field: &HitField| std::mem::discriminant(&field.json());
    HitField::ALL.chunk_by(move |a, b| object(a) == object(b))
}
